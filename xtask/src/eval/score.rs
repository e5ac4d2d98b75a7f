//! Scores findings by their distance to the labels.

use std::collections::HashSet;

use review::Side;
use review::output::json::FindingBody;

use super::corpus::{Item, Kind, Label};

/// Maximum distance of a finding from a bug's label, in lines.
const BUG_SLACK: u32 = 2;
/// Maximum distance of a finding from an expected line of a rule suite, in lines.
const RULE_SLACK: u32 = 1;

/// The counts of one item.
#[derive(Default, Clone, Copy)]
pub(crate) struct Score {
    /// A finding is near a label (bugs).
    pub(crate) hit: bool,
    /// Labels that expect a finding, and those that got one (rules, golden).
    pub(crate) expected: usize,
    pub(crate) found: usize,
    /// Labels that forbid a finding, and those that got one (rules, golden).
    pub(crate) clean: usize,
    pub(crate) false_alarms: usize,
    /// Findings, and those near a label.
    pub(crate) findings: usize,
}

/// Scores an item, and returns for each finding whether it is near a label that expects one.
pub(crate) fn score(item: &Item, findings: &[FindingBody]) -> (Score, Vec<bool>) {
    let wanted: Vec<&Label> = item
        .labels
        .iter()
        .filter(|l| l.expect.as_deref() != Some("clean") && l.line.unwrap_or(0) > 0)
        .collect();
    let slack = if item.kind == Kind::Rules {
        RULE_SLACK
    } else {
        BUG_SLACK
    };
    let on: Vec<bool> = findings
        .iter()
        .map(|f| wanted.iter().any(|label| hits(label, f, slack)))
        .collect();
    let got = |label: &Label, slack| findings.iter().any(|finding| hits(label, finding, slack));
    let unwanted: Vec<&Label> = match &item.rejected {
        Some(rejected) => rejected
            .iter()
            .filter(|label| label.line.is_some())
            .collect(),
        None => item
            .labels
            .iter()
            .filter(|l| l.expect.as_deref() == Some("clean") && l.line.unwrap_or(0) > 0)
            .collect(),
    };
    let score = Score {
        hit: on.contains(&true),
        expected: wanted.len(),
        found: wanted.iter().filter(|label| got(label, slack)).count(),
        clean: unwanted.len(),
        false_alarms: unwanted.iter().filter(|label| got(label, 0)).count(),
        findings: findings.len(),
    };
    (score, on)
}

/// Whether a finding is on the lines of a label.
pub(super) fn is_on(label: &Label, finding: &FindingBody) -> bool {
    hits(label, finding, 0)
}

fn hits(label: &Label, finding: &FindingBody, slack: u32) -> bool {
    is_near(
        label, &finding.file_path, finding.line_side, finding.line_number, slack,
    )
}

/// Whether a line is within this many lines of a label.
pub(super) fn is_near(label: &Label, path: &str, side: Side, line: u32, slack: u32) -> bool {
    if label.file_path.as_deref() != Some(path) {
        return false;
    }
    let Some(low) = label.line else { return false };
    let high = label.end_line.unwrap_or(low);
    let near = |low: u32, high: u32| line + slack >= low && line <= high + slack;
    let on_old_side = side == Side::Old;
    if label.side.as_deref() == Some("OLD") {
        if on_old_side {
            return near(low, high);
        }
        // The gap lies between the lines `new_line - 1` and `new_line`.
        return label
            .new_line
            .is_some_and(|at| near(at.saturating_sub(1), at));
    }
    if on_old_side {
        let replaced = label.old_line.zip(label.old_end);
        return replaced.is_some_and(|(first, last)| near(first, last));
    }
    near(low, high)
}

/// Sources of `bugs` that are not product code, or have labels of another kind. They are reported but not included in
/// the total.
pub(crate) fn is_apart(source: &str) -> bool {
    let apart: HashSet<&str> = ["szz", "codeflaws", "condefects", "quixbugs", "fixjs"].into();
    apart.contains(source)
}
