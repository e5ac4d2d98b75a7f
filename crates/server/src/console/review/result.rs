//! The result of a review as a fragment of a page.

use std::collections::HashSet;

use askama::Template;
use review::output::json::{Metadata, ReviewBody, WarningBody};
use review::output::{Coverage, counted, left_out, missed, model_failure, remarks, sent};
use review::{Diff, Language, Priority, WarningCode};

use super::diff_view::{FileView, Shows, files};
use super::downloads::{self, Download};
use super::finding_view::FindingView;
use super::list::{Entry, entries, grouped};
use crate::console::numbers::duration;
use crate::rule_pages::RulePages;
use crate::web::shown::Shown;

#[derive(Template)]
#[template(path = "review/result.html")]
struct ResultView<'a> {
    title: String,
    /// Whether there is no finding at all, not even a suppressed one.
    is_empty: bool,
    /// Whether everything was reviewed that can be.
    is_complete: bool,
    /// Whether each hunk contained its whole file.
    has_whole_files: bool,
    priorities: Vec<(&'static str, usize)>,
    /// "3 of 5 files".
    reviewed: String,
    added: usize,
    removed: usize,
    parts: String,
    time: String,
    reviewers: String,
    /// Why the language model reviewed nothing, if it failed.
    failure: Option<Shown<'a>>,
    /// A summary of the data sent to language models.
    sent: Option<String>,
    request_id: &'a str,
    /// Files of which nothing was reviewed, and why.
    skipped: Vec<Note<'a>>,
    skipped_because: String,
    /// Parts that were not reviewed.
    missed: Vec<Note<'a>>,
    /// Parts that the rules reviewed and the language model did not.
    missed_by_model: Vec<Note<'a>>,
    remarks: Vec<Note<'a>>,
    entries: Vec<Entry<'a>>,
    findings: usize,
    files: Vec<FileView<'a>>,
    lost: Vec<FindingView<'a>>,
    downloads: Vec<Download>,
}

/// Something that the review skipped or could not do.
struct Note<'a> {
    path: Option<Shown<'a>>,
    message: Shown<'a>,
}

impl<'a> From<&'a WarningBody> for Note<'a> {
    fn from(warning: &'a WarningBody) -> Self {
        Self {
            path: warning.file_path.as_deref().map(Shown),
            message: Shown(&warning.message),
        }
    }
}

/// Which reviewers reviewed how much of the change.
fn reviewers(body: &ReviewBody) -> String {
    let Metadata {
        model,
        chunks_by_model,
        chunks_analyzed,
        ..
    } = &body.metadata;
    let Some(model) = model else {
        return "by the rules, without a language model".to_owned();
    };
    if model_failure(body).is_some() {
        return "by the rules only: the language model failed".to_owned();
    }
    if *chunks_analyzed > 0 && *chunks_by_model == 0 {
        "by the rules only: the budget of language-model tokens is used up".to_owned()
    } else if chunks_by_model < chunks_analyzed {
        format!("by the rules, and in part by {model}")
    } else {
        format!("by the rules and {model}")
    }
}

/// The number of findings. A suppressed finding is not a finding, but not nothing either.
fn title(body: &ReviewBody) -> String {
    let suppressed = body.metadata.suppressed_findings.len();
    let findings = match body.findings.len() {
        0 if suppressed == 0 && Coverage::of(body) == Coverage::Nothing => {
            "Nothing was reviewed".to_owned()
        }
        0 => "No findings".to_owned(),
        n => counted(n, "finding"),
    };
    match suppressed {
        0 => findings,
        n => format!("{findings}, {n} suppressed"),
    }
}

/// Why a file was left out as a whole, in a word or two; `None` for other warnings.
fn skipped_because(warning: &WarningBody) -> Option<&'static str> {
    use WarningCode as Code;
    let causes = [
        (Code::FileSkippedBinary, "binary"),
        (Code::FileSkippedGenerated, "generated"),
        (Code::FileSkippedVendored, "third-party"),
        (Code::FileSkippedIgnored, "excluded"),
        (Code::FileSkippedTooLarge, "too large"),
        (Code::FileSkippedParserFailed, "not parsed"),
    ];
    let (_, cause) = causes
        .iter()
        .find(|(code, _)| code.as_str() == warning.code)?;
    Some(*cause)
}

/// The result as HTML. `has_whole_files`: whether each hunk contains all of its file.
pub(super) fn render(
    body: &ReviewBody,
    diff: &Diff<'_>,
    (language, has_whole_files): (Option<Language>, bool),
    rules: Option<&RulePages>,
) -> String {
    let skipped = || {
        let all = body.metadata.warnings.iter();
        all.filter_map(|warning| Some((warning, skipped_because(warning)?)))
    };
    let paths: HashSet<&str> = skipped()
        .filter_map(|(warning, _)| warning.file_path.as_deref())
        .collect();
    let mut causes: Vec<&str> = skipped().map(|(_, cause)| cause).collect();
    causes.sort_unstable();
    causes.dedup();
    let groups = grouped(body);
    let findings: Vec<_> = groups.iter().flatten().copied().collect();
    let shows = Shows {
        body,
        findings: &findings,
        skipped: &paths,
        language,
        rules,
    };
    let (files, lost) = files(diff, &shows);
    let of_priority = |priority: &Priority| {
        let is_of = |finding: &&&review::output::json::FindingBody| finding.priority == *priority;
        (priority.as_str(), findings.iter().filter(is_of).count())
    };
    let notes = |model_only: bool| {
        left_out(body)
            .filter(|warning| skipped_because(warning).is_none())
            .filter(|warning| warning.code != WarningCode::ModelFailed.as_str())
            .filter(|warning| warning.model_only == model_only)
            .map(Note::from)
            .collect()
    };
    let reviewed = files.iter().filter(|file| file.is_reviewed).count();
    let result = ResultView {
        title: title(body),
        is_empty: findings.is_empty(),
        is_complete: missed(body).next().is_none(),
        has_whole_files,
        priorities: Priority::ALL
            .iter()
            .map(of_priority)
            .filter(|(_, count)| *count > 0)
            .collect(),
        reviewed: if reviewed == files.len() {
            counted(reviewed, "file")
        } else {
            format!("{reviewed} of {}", counted(files.len(), "file"))
        },
        added: files.iter().map(|file| file.added).sum(),
        removed: files.iter().map(|file| file.removed).sum(),
        parts: counted(
            usize::try_from(body.metadata.chunks_analyzed).unwrap_or(usize::MAX),
            "part",
        ),
        time: duration(body.metadata.processing_ms),
        reviewers: reviewers(body),
        failure: model_failure(body).map(Shown),
        sent: sent(body),
        request_id: &body.request_id,
        skipped: skipped().map(|(warning, _)| Note::from(warning)).collect(),
        skipped_because: causes.join(", "),
        missed: notes(false),
        missed_by_model: notes(true),
        remarks: remarks(body).map(Note::from).collect(),
        entries: entries(&groups, rules),
        findings: findings.len(),
        files,
        lost,
        downloads: downloads::of(body, diff, rules),
    };
    result.render().unwrap_or_else(|error| {
        tracing::error!(
            error = &error as &dyn std::error::Error,
            "a review was not rendered"
        );
        String::new()
    })
}

#[cfg(test)]
#[path = "../../../../review/src/output/tests/properties.rs"]
mod properties;

#[cfg(test)]
mod tests {
    use review::Diff;
    use review::output::json::{ReviewBody, WarningBody};
    use serde_json::json;

    use super::{properties, render};

    const DIFF: &str = "--- a/a.py\n+++ b/a.py\n@@ -1 +1,2 @@\n a\n+b\n";

    /// The result of a review in two parts, of which the model reviewed this many. Each warning concerns only the model
    /// or not.
    fn page(model: Option<&str>, by_model: u64, warnings: &[(&str, &str, bool)]) -> String {
        let body = json!({ "requestId": "r", "clientReference": null, "findings": [], "metadata": {
            "processingMs": 7, "chunksAnalyzed": 2, "warnings": [], "engines": ["rules"], "model": model,
            "tokenUsage": { "promptTokens": 0, "completionTokens": 0, "totalTokens": 0, "estimated": false },
        } });
        let mut body: ReviewBody = serde_json::from_value(body).unwrap();
        body.metadata.chunks_by_model = by_model;
        let warning = |(code, message, model_only): &(&str, &str, bool)| WarningBody {
            code: (*code).to_owned(),
            message: (*message).to_owned(),
            file_path: None,
            model_only: *model_only,
        };
        body.metadata.warnings = warnings.iter().map(warning).collect();
        render(&body, &Diff::parse(DIFF).unwrap(), (None, false), None)
    }

    #[test]
    fn the_head_shows_the_reviewers_and_why_the_model_failed() {
        let failed = (
            "MODEL_FAILED",
            "the language model reviewed nothing: it did not finish in time",
            true,
        );
        let spent = (
            "TOKEN_BUDGET_REACHED",
            "this part was not reviewed by the language model",
            true,
        );
        for (model, by_model, warnings, expected) in [
            (
                None,
                0,
                &[][..],
                "<li>2 parts in 7 ms, by the rules, without a language model.",
            ),
            (
                Some("m<1>"),
                2,
                &[],
                "<p>Reviewed by the rules and m&#60;1&#62;.</p>",
            ),
            (
                Some("m"),
                1,
                &[spent],
                "<p>Reviewed by the rules, and in part by m.</p>",
            ),
            (
                Some("m"),
                0,
                &[failed],
                "and the language model failed: it did not finish in time.</p>",
            ),
            (
                Some("m"),
                0,
                &[spent, spent],
                "<p>Reviewed by the rules only: the budget of language-model tokens is used up.</p>",
            ),
        ] {
            let page = page(model, by_model, warnings);
            assert!(page.contains(expected), "{expected}: {page}");
            let reasons = page.matches("it did not finish in time").count();
            assert!(reasons <= 1, "the reason is said once: {page}");
        }
    }

    #[test]
    fn each_cause_of_an_omission_has_its_own_heading() {
        let headings = |warnings: &[_]| {
            let page = page(Some("m"), 1, warnings);
            [
                "1 part reviewed incompletely",
                "1 part not reviewed by the language model",
                "1 file not reviewed: binary",
                "1 note about the review",
                "<div class=\"done warn\">",
            ]
            .map(|heading| page.contains(heading))
        };
        let (partly, model) = (
            ("FILE_PARTLY_ANALYZED", "why", false),
            ("CHUNK_FAILED", "why", true),
        );
        let (binary, note) = (
            ("FILE_SKIPPED_BINARY", "why", false),
            ("FINDINGS_MERGED", "why", false),
        );
        assert_eq!(headings(&[]), [false; 5]);
        assert_eq!(headings(&[partly]), [true, false, false, false, true]);
        assert_eq!(headings(&[model]), [false, true, false, false, true]);
        assert_eq!(headings(&[binary]), [false, false, true, false, false]);
        assert_eq!(headings(&[note]), [false, false, false, true, false]);
        assert_eq!(headings(&[partly, model, binary, note]), [true; 5]);
    }

    /// The properties that the page leaves out. It offers all of them as JSON.
    const NOT_ON_PAGE: properties::LeftOut<'_> = &[
        ("clientReference", "the page sends none"),
        ("metadata.engines[]", "the page says who reviewed how much"),
        ("metadata.testFiles[]", DOWNLOADED),
        (
            "metadata.tokenUsage.totalTokens", "the sum of two numbers that are shown",
        ),
        (
            "metadata.suppressedFindings[].finding.baselineState",
            "the service has no baselines",
        ),
        ("findings[].oldLineNumber", "shown in the diff"),
        (
            "metadata.suppressedFindings[].finding.oldLineNumber",
            "shown in the diff",
        ),
        ("findings[].fingerprint", DOWNLOADED),
        (
            "metadata.suppressedFindings[].finding.fingerprint",
            DOWNLOADED,
        ),
    ];
    const DOWNLOADED: &str = "for programs, which read the JSON";

    #[test]
    fn the_page_shows_each_property_or_leaves_it_out_on_purpose() {
        let diff = Diff::parse(properties::DIFF).unwrap();
        let page = |value: &serde_json::Value| {
            let mut body: ReviewBody = serde_json::from_value(value.clone()).ok()?;
            body.metadata.chunks_by_model = body.metadata.chunks_analyzed;
            let page = render(&body, &diff, (None, false), None);
            let (start, rest) = page.split_once("<p class=\"saves\">")?;
            let (_, end) = rest.split_once("</p>")?;
            Some(format!("{start}{end}"))
        };
        properties::check("the page", NOT_ON_PAGE, page);
    }
}
