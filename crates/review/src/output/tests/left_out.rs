//! The properties of an answer that each format leaves out, and why.

use serde_json::Value;

use super::properties::{DIFF, check, complete};
use crate::diff::Diff;
use crate::output::json::ReviewBody;
use crate::output::pretty::View;
use crate::output::{Format, samples};

/// Properties and why they are left out.
type Group = &'static [(&'static str, &'static str)];

const REQUEST: Group = &[
    ("requestId", "about the request"),
    ("clientReference", "about the request"),
];
const MODEL: Group = &[
    (
        "metadata.modelUse.*", "`pretty` and `json` say what was sent",
    ),
    (
        "metadata.tokenUsage.*", "`pretty` and `json` say what was sent",
    ),
];
const EXTENT: Group = &[
    ("metadata.engines[]", "about how the review was made"),
    ("metadata.processingMs", "about how the review was made"),
];
const ALWAYS: Group = &[
    ("metadata.model", "about how the review was made"),
    ("metadata.chunksAnalyzed", "about how the review was made"),
    ("metadata.testFiles[]", "only their number is shown"),
];
const BASELINE: Group = &[(
    "metadata.suppressedFindings[].finding.baselineState",
    "suppressed findings are not compared with a baseline",
)];
const ONLY_HERE: &str = "only for programs that read `json`";
const NO_FIELD: &str = "the format has no field for it";
const ON_ONE_LINE: &str = "a suppressed finding is one line: what, where and why";

/// Properties of findings that a format leaves out of all findings.
fn of_findings(format: Format) -> Vec<(&'static str, &'static str)> {
    let replacement = ("replacement.*", NO_FIELD);
    let fingerprint = ("fingerprint", ONLY_HERE);
    let category = ("category", NO_FIELD);
    let confidence = ("confidence", NO_FIELD);
    let hunk = ("hunkHeader", ONLY_HERE);
    let old = ("oldLineNumber", ONLY_HERE);
    let others = [
        ("relatedLocations[].*", NO_FIELD),
        ("references[].*", NO_FIELD),
    ];
    let columns = [
        ("startColumn", "lines are named, not columns"),
        ("endLine", "lines are named, not columns"),
        ("endColumn", "lines are named, not columns"),
    ];
    let own: &[&[(&str, &str)]] = match format {
        Format::Json => return Vec::new(),
        Format::Pretty => &[&[replacement, fingerprint, category]],
        Format::Sarif => &[&[
            hunk,
            (
                "relatedLocations[].lineSide", "the place in the new file is named",
            ),
        ]],
        Format::Github => &[&[replacement, fingerprint, category, confidence, hunk]],
        Format::Gitlab => &[&[replacement, confidence, hunk], &others],
        Format::Rdjsonl => &[&[fingerprint, category, confidence], &others],
        Format::Markdown => &[&[replacement, fingerprint, category, hunk], &columns],
        Format::Junit => &[
            &[replacement, fingerprint, category, confidence, hunk],
            &[("lineSide", "the line in the new file is named")],
            &others,
            &columns,
        ],
        Format::Agent => &[
            &[replacement, fingerprint, category, confidence, hunk],
            &columns,
        ],
    };
    own.iter()
        .flat_map(|group| group.iter().copied())
        .chain([old])
        .collect()
}

/// The properties that a format leaves out.
fn left_out(format: Format) -> Vec<(String, &'static str)> {
    let of_review: &[Group] = match format {
        Format::Json => &[],
        Format::Pretty => &[
            REQUEST,
            ALWAYS,
            BASELINE,
            &[(
                "metadata.tokenUsage.totalTokens", "the sum of two numbers that are shown",
            )],
            &[
                (
                    "metadata.suppressedFindings[].finding.confidence",
                    ON_ONE_LINE,
                ),
                (
                    "metadata.suppressedFindings[].finding.suggestedFix",
                    ON_ONE_LINE,
                ),
                (
                    "metadata.suppressedFindings[].finding.hunkHeader",
                    ON_ONE_LINE,
                ),
                (
                    "metadata.suppressedFindings[].finding.startColumn",
                    ON_ONE_LINE,
                ),
                ("metadata.suppressedFindings[].finding.endLine", ON_ONE_LINE),
                (
                    "metadata.suppressedFindings[].finding.endColumn",
                    ON_ONE_LINE,
                ),
                (
                    "metadata.suppressedFindings[].finding.relatedLocations[].*",
                    ON_ONE_LINE,
                ),
                (
                    "metadata.suppressedFindings[].finding.references[].*",
                    ON_ONE_LINE,
                ),
            ],
        ],
        Format::Junit => &[
            REQUEST,
            ALWAYS,
            BASELINE,
            MODEL,
            &[("metadata.engines[]", "about how the review was made")],
        ],
        Format::Gitlab | Format::Rdjsonl => &[
            REQUEST,
            ALWAYS,
            BASELINE,
            MODEL,
            EXTENT,
            &[(
                "metadata.warnings[].*",
                "the format has findings only; the command line prints the warnings",
            )],
        ],
        Format::Sarif => &[REQUEST, ALWAYS, MODEL, EXTENT],
        Format::Github | Format::Markdown | Format::Agent => {
            &[REQUEST, ALWAYS, BASELINE, MODEL, EXTENT]
        }
    };
    let of_findings = of_findings(format).into_iter().flat_map(|(name, why)| {
        ["findings[].", "metadata.suppressedFindings[].finding."]
            .map(|list| (format!("{list}{name}"), why))
    });
    let of_review = of_review
        .iter()
        .flat_map(|group| group.iter())
        .map(|(name, why)| ((*name).to_owned(), *why));
    of_review.chain(of_findings).collect()
}

#[test]
fn the_answer_for_the_tests_has_all_properties() {
    let body: ReviewBody = serde_json::from_value(complete()).unwrap();
    assert_eq!(serde_json::to_value(body).unwrap(), complete());
}

#[test]
fn each_format_shows_each_property_or_leaves_it_out_on_purpose() {
    let diff = Diff::parse(DIFF).unwrap();
    let view = View {
        verbose: true,
        ..View::default()
    };
    for format in Format::ALL {
        let show = |answer: &Value| {
            let body: ReviewBody = serde_json::from_value(answer.clone()).ok()?;
            Some(format.render(&samples::subject(&body, &diff), view))
        };
        let left_out = left_out(*format);
        let left_out: Vec<_> = left_out
            .iter()
            .map(|(name, why)| (name.as_str(), *why))
            .collect();
        check(format.as_str(), &left_out, show);
    }
}
