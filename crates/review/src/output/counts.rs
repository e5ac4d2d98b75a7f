//! Counts as English text.

use std::fmt::Write as _;

use crate::diff::Diff;
use crate::finding::Priority;
use crate::output::json::ReviewBody;
use crate::warning::WarningCode;

/// A count with its noun: "1 file", "2 files".
#[must_use]
pub fn counted(n: usize, noun: &str) -> String {
    if n == 1 {
        format!("1 {noun}")
    } else {
        format!("{n} {noun}s")
    }
}

/// "12 files (3 of them test code)".
pub(super) fn files(body: &ReviewBody, diff: &Diff<'_>) -> String {
    let (all, tests) = (diff.files.len(), body.metadata.test_files.len());
    let files = counted(all, "file");
    match tests {
        0 => files,
        1 if all == 1 => format!("{files} (test code)"),
        _ if tests == all => format!("{files} (all test code)"),
        _ => format!("{files} ({tests} of them test code)"),
    }
}

/// "rules only: the model failed", if a language model was configured and reviewed nothing.
pub(super) fn rules_only(body: &ReviewBody) -> Option<&'static str> {
    let failed = WarningCode::ModelFailed.as_str();
    body.metadata
        .warnings
        .iter()
        .any(|warning| warning.code == failed)
        .then_some("rules only: the model failed")
}

/// "no findings", "3 new findings (1 P1, 2 P3), 4 known from the baseline, 1 suppressed",
/// "no new findings (2 known from the baseline)".
pub(super) fn findings(body: &ReviewBody) -> String {
    let count = |p: Priority| {
        body.open_findings()
            .filter(|finding| finding.priority == p)
            .count()
    };
    let by_priority: Vec<String> = Priority::ALL
        .iter()
        .filter(|p| count(**p) > 0)
        .map(|p| format!("{} {p}", count(*p)))
        .collect();
    let known = body.findings.len() - body.open_findings().count();
    let new = if known > 0 { "new " } else { "" };
    let mut text = match body.open_findings().count() {
        0 if known > 0 => format!("no new findings ({known} known from the baseline)"),
        0 => "no findings".to_owned(),
        n => format!(
            "{} ({})",
            counted(n, &format!("{new}finding")),
            by_priority.join(", ")
        ),
    };
    if known > 0 && body.open_findings().next().is_some() {
        let _ = write!(text, ", {known} known from the baseline");
    }
    let suppressed = body.metadata.suppressed_findings.len();
    if suppressed > 0 {
        let _ = write!(text, ", {suppressed} suppressed");
    }
    text
}
