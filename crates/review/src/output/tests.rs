//! Tests of all formats: golden files of one sample, size limits, and injection attempts.

mod hostile;
mod left_out;
mod properties;
mod readers;

use serde_json::Value;

use super::pretty::View;
use super::samples::{DIFF, body, finding, sample, subject, warning};
use super::{Format, github};
use crate::diff::Diff;
use crate::finding::{Category, Priority};
use crate::output::json::{BaselineState, ReviewBody};

fn rendered(format: Format, body: &ReviewBody) -> String {
    format.render(&subject(body, &Diff::parse(DIFF).unwrap()), View::default())
}

/// The documentation page that shows each format.
const PAGE: &str = include_str!("../../../../docs/output.md");

#[test]
fn each_format_matches_its_golden_file() {
    for format in Format::ALL
        .iter()
        .filter(|format| **format != Format::Pretty)
    {
        insta::assert_snapshot!(format.as_str(), rendered(*format, &sample()));
    }
}

#[test]
fn the_documentation_shows_what_the_formats_write() {
    for format in [
        Format::Github,
        Format::Gitlab,
        Format::Rdjsonl,
        Format::Markdown,
        Format::Junit,
        Format::Agent,
    ] {
        let text = rendered(format, &sample());
        assert!(
            PAGE.contains(&format!("\n{text}```")),
            "docs/output.md does not have\n{text}"
        );
    }
}

#[test]
fn an_empty_review_is_valid_in_each_format() {
    let empty = body(Vec::new());
    assert_eq!(rendered(Format::Gitlab, &empty), "[]\n");
    assert_eq!(rendered(Format::Rdjsonl, &empty), "");
    assert_eq!(rendered(Format::Github, &empty), "");
    assert_eq!(
        rendered(Format::Agent, &empty),
        "sum\tno findings in 2 files, 0 not reviewed\n"
    );
    assert_eq!(
        rendered(Format::Markdown, &empty),
        "## Hunkwise: no findings in 2 files\n"
    );
    let sarif: Value = serde_json::from_str(&rendered(Format::Sarif, &empty)).unwrap();
    assert_eq!(sarif["runs"][0]["results"], serde_json::json!([]));
    assert!(rendered(Format::Junit, &empty).contains("tests=\"2\" failures=\"0\""));
}

/// A review with `count` findings of one priority, each with long texts.
fn crowd(count: usize, priority: Priority, length: usize) -> ReviewBody {
    let long = |n| {
        let mut finding = finding();
        finding.summary = format!("{n}: {}", "*`é".repeat(length));
        finding.priority = priority;
        finding
    };
    body((0..count).map(long).collect())
}

#[test]
fn bounded_formats_state_what_they_omit() {
    for priority in [Priority::P1, Priority::P3] {
        let crowd = crowd(1_000, priority, 500);
        let comment = rendered(Format::Markdown, &crowd);
        assert!(
            comment.chars().count() <= 65_000 && comment.contains("more entries are too much"),
            "{priority}"
        );
        assert_eq!(
            comment.matches("<details>").count(),
            comment.matches("</details>").count()
        );
        let lines = rendered(Format::Agent, &crowd);
        assert!(
            lines.contains("\nmore\t900 findings") && lines.len() < 300_000,
            "{}",
            lines.len()
        );
    }
}

#[test]
fn sarif_respects_and_reports_the_limit_of_results() {
    let sarif: Value =
        serde_json::from_str(&rendered(Format::Sarif, &crowd(25_002, Priority::P1, 0))).unwrap();
    let run = &sarif["runs"][0];
    assert_eq!(run["results"].as_array().unwrap().len(), 25_000);
    let message = run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]
        .as_str()
        .unwrap();
    assert!(message.starts_with("2 findings of lower rank"), "{message}");
}

#[test]
fn sarif_has_a_severity_only_on_security_rules() {
    let mut secret = finding();
    (secret.category, secret.rule_id) = (Category::SecretExposure, Some("any/secret".into()));
    let sarif: Value =
        serde_json::from_str(&rendered(Format::Sarif, &body(vec![secret, finding()]))).unwrap();
    let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
    assert_eq!(rules[0]["properties"]["security-severity"], "8.0");
    assert_eq!(rules[1]["properties"].get("security-severity"), None);
    assert_eq!(
        rules[1]["help"]["markdown"],
        "# Mutable default argument\n\nThe default is made once.\n"
    );
}

#[test]
fn a_finding_of_the_baseline_is_marked_in_json_and_sarif_and_counted_elsewhere() {
    let mut known = finding();
    (known.summary, known.baseline_state) = ("An old one.".into(), Some(BaselineState::Unchanged));
    let mut new = finding();
    new.baseline_state = Some(BaselineState::New);
    let body = body(vec![known, new]);
    for format in Format::ALL {
        let shows = rendered(*format, &body).contains("An old one.");
        assert_eq!(
            shows,
            matches!(format, Format::Json | Format::Sarif),
            "{format}"
        );
    }
    let json: Value = serde_json::from_str(&rendered(Format::Json, &body)).unwrap();
    assert_eq!(
        (
            &json["findings"][0]["baselineState"], &json["findings"][1]["baselineState"]
        ),
        (&"UNCHANGED".into(), &"NEW".into())
    );
    let sarif: Value = serde_json::from_str(&rendered(Format::Sarif, &body)).unwrap();
    let results = &sarif["runs"][0]["results"];
    assert_eq!(
        (&results[0]["baselineState"], &results[1]["baselineState"]),
        (&"unchanged".into(), &"new".into())
    );
    assert_eq!(results[0]["suppressions"][0]["kind"], "external");
    assert_eq!(results[1].get("suppressions"), None);
    for format in [Format::Pretty, Format::Markdown, Format::Agent] {
        assert!(
            rendered(format, &body).contains("1 new finding (1 P1), 1 known from the baseline"),
            "{format}"
        );
    }
}

#[test]
fn a_suppressed_finding_is_not_a_defect_in_any_format() {
    let mut body = sample();
    body.findings.clear();
    let sarif: Value = serde_json::from_str(&rendered(Format::Sarif, &body)).unwrap();
    let suppression = &sarif["runs"][0]["results"][0]["suppressions"][0];
    assert_eq!(
        (&suppression["kind"], &suppression["justification"]),
        (&"inSource".into(), &"callers always pass one".into())
    );
    assert_eq!(
        suppression["location"]["physicalLocation"]["region"]["startLine"],
        1
    );
    let issues: Value = serde_json::from_str(&rendered(Format::Gitlab, &body)).unwrap();
    assert_eq!(issues[0]["severity"], "info");
    let diagnostic: Value = serde_json::from_str(&rendered(Format::Rdjsonl, &body)).unwrap();
    assert_eq!(diagnostic["severity"], "INFO");
    assert!(
        rendered(Format::Github, &body)
            .starts_with("::notice file=src/cart.py,line=2,title=Suppressed%3A P2 ")
    );
    assert!(rendered(Format::Junit, &body).contains("failures=\"0\""));
    for format in [Format::Pretty, Format::Markdown, Format::Agent] {
        assert!(
            rendered(format, &body).contains("no findings, 1 suppressed in"),
            "{format}"
        );
    }
}

#[test]
fn serious_suppressed_findings_can_be_reinstated_in_their_order() {
    let mut body = sample();
    let mut serious = body.metadata.suppressed_findings[0].clone();
    serious.priority = Priority::P0;
    body.metadata.suppressed_findings.push(serious);
    body.reinstate_serious();
    let priorities: Vec<Priority> = body
        .findings
        .iter()
        .map(|finding| finding.priority)
        .collect();
    assert_eq!(priorities, [Priority::P0, Priority::P1, Priority::P3]);
    assert_eq!(body.metadata.suppressed_findings.len(), 1);
}

#[test]
fn hosts_get_unique_fingerprints() {
    let sarif: Value =
        serde_json::from_str(&rendered(Format::Sarif, &body(vec![finding(), finding()]))).unwrap();
    let results = &sarif["runs"][0]["results"];
    assert_eq!(
        results[0]["partialFingerprints"]["hunkwise/v1"],
        "6f1d2c3b4a59"
    );
    assert_eq!(
        results[1]["partialFingerprints"]["hunkwise/v1"],
        "6f1d2c3b4a59-2"
    );
    let issues: Value =
        serde_json::from_str(&rendered(Format::Gitlab, &body(vec![finding(), finding()]))).unwrap();
    assert_eq!(issues[0]["fingerprint"], "6f1d2c3b4a59");
    assert_eq!(issues[1]["fingerprint"], "6f1d2c3b4a59-2");
}

#[test]
fn the_summary_contains_everything_that_github_omits() {
    let diff = Diff::parse(DIFF).unwrap();
    let mut body = crowd(11, Priority::P2, 0);
    body.findings.extend(crowd(10, Priority::P3, 0).findings);
    assert_eq!(github::render(&body, &diff).lines().count(), 21);
    let summary = github::summary(&body, &diff).unwrap();
    assert_eq!(
        (
            summary.matches("**P2**").count(),
            summary.contains("**P3**")
        ),
        (1, false),
        "{summary}"
    );
    body.findings.remove(0);
    assert_eq!(github::summary(&body, &diff), None);
    body.metadata.warnings.push(warning("CHUNK_FAILED", "why"));
    assert!(
        github::summary(&body, &diff)
            .unwrap()
            .contains("`CHUNK_FAILED`")
    );
}

#[test]
fn a_removed_line_is_shown_where_the_new_file_continues() {
    let lines = rendered(Format::Agent, &sample());
    assert!(lines.contains(
        "src/cart.py:3\tP3\tmodel/secret-exposure\tThe check is gone. (about the removed line 3)"
    ));
}

#[test]
fn github_gets_annotations_only_for_findings_and_parts_that_were_not_reviewed() {
    let diff = Diff::parse(DIFF).unwrap();
    let mut body = body(vec![finding()]);
    let notes = [
        "FINDINGS_MERGED", "LANGUAGE_NOT_SUPPORTED", "FINDINGS_SUPPRESSED", "SECRETS_REDACTED",
    ];
    body.metadata.warnings = notes.iter().map(|code| warning(code, "why")).collect();
    body.metadata
        .warnings
        .push(warning("FILE_PARTLY_ANALYZED", "why"));
    let annotations = github::render(&body, &diff);
    let kinds: Vec<&str> = annotations
        .lines()
        .map(|line| line.split(' ').next().unwrap())
        .collect();
    assert_eq!(kinds, ["::error", "::warning"], "{annotations}");
    let summary = github::summary(&body, &diff).unwrap();
    assert!(
        notes.iter().all(|code| summary.contains(code))
            && !summary.contains("FILE_PARTLY_ANALYZED"),
        "{summary}"
    );
}

#[test]
fn the_summary_reports_that_the_model_failed() {
    let mut body = sample();
    body.metadata.engines = vec!["rules".into(), "model".into()];
    for format in [Format::Pretty, Format::Markdown, Format::Agent] {
        assert!(!rendered(format, &body).contains("rules only"), "{format}");
    }
    body.metadata.warnings.push(warning(
        "MODEL_FAILED",
        "the language model reviewed nothing: it is down",
    ));
    for format in [Format::Pretty, Format::Markdown, Format::Agent] {
        let text = rendered(format, &body);
        let mut lines = text.lines();
        let line = if format == Format::Markdown {
            lines.next()
        } else {
            lines.next_back()
        };
        assert!(
            line.unwrap().contains("rules only: the model failed"),
            "{text}"
        );
        assert!(!text.contains("rules + model"), "{text}");
    }
}
