//! From the findings of several engines to the list that the caller gets: one per defect, ranked, capped.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::anchor::nth_fingerprint;
use crate::finding::Finding;
use crate::warning::{Warning, WarningCode};

/// Lines apart that two reviewers may be and still mean the same defect.
pub const SAME_DEFECT_LINES: usize = 3;

/// Merges, ranks and numbers `findings`, and keeps the `limit` most important, with a warning for what was cut.
#[must_use]
pub fn merge(findings: Vec<Finding>, limit: usize) -> (Vec<Finding>, Option<Warning>) {
    let mut kept = unite(findings);
    kept.sort_by_key(order);
    let cut = kept.len().saturating_sub(limit);
    kept.truncate(limit);
    tell_apart(&mut kept);
    let warning = (cut > 0).then(|| {
        let message = format!("{cut} more findings of lower rank were left out: a review returns at most {limit}");
        Warning::review(WarningCode::FindingsTruncated, message)
    });
    (kept, warning)
}

/// Priority, then file order of the diff, then line; the rest makes the order total.
fn order(finding: &Finding) -> impl Ord + use<> {
    let certainty = Reverse((finding.confidence * 1_000.0) as u32);
    (
        finding.priority,
        finding.file,
        finding.hunk,
        finding.line,
        certainty,
        finding.rule_id.clone(),
        finding.summary.clone(),
    )
}

/// One finding per defect. Strongest first, so that what is kept does not depend on the engines' order.
fn unite(mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.sort_by_key(|f| (Reverse((f.confidence * 1_000.0) as u32), order(f)));
    findings.sort_by_key(|f| f.priority);
    let mut kept: Vec<Finding> = Vec::new();
    let mut by_hunk: HashMap<_, Vec<usize>> = HashMap::new();
    for finding in findings {
        let near = by_hunk.entry((finding.file, finding.hunk, finding.category)).or_default();
        match near.iter().copied().find(|at| same_defect(&kept[*at], &finding)) {
            Some(at) => strengthen(&mut kept[at], &finding),
            None => {
                near.push(kept.len());
                kept.push(finding);
            }
        }
    }
    kept
}

/// Same hunk and category are given. A rule and a model may be a few lines apart; two of a kind may not.
fn same_defect(a: &Finding, b: &Finding) -> bool {
    let engines_differ = a.rule_id.is_some() != b.rule_id.is_some();
    let apart = a.line.abs_diff(b.line);
    if engines_differ { apart <= SAME_DEFECT_LINES } else { apart == 0 }
}

/// Two engines that agree are surer than either alone.
fn strengthen(kept: &mut Finding, other: &Finding) {
    if kept.rule_id.is_some() != other.rule_id.is_some() {
        kept.confidence = 1.0 - (1.0 - kept.confidence) * (1.0 - other.confidence);
        kept.rule_id = kept.rule_id.take().or_else(|| other.rule_id.clone());
        kept.suggested_fix = kept.suggested_fix.take().or_else(|| other.suggested_fix.clone());
    }
}

/// Two equal lines with the same defect get different fingerprints, by their order in the file.
fn tell_apart(findings: &mut [Finding]) {
    let mut places: Vec<usize> = (0..findings.len()).collect();
    places.sort_by_key(|at| findings[*at].place());
    let mut seen: HashMap<String, usize> = HashMap::new();
    for at in places {
        let count = seen.entry(findings[at].fingerprint.clone()).or_insert(0);
        if *count > 0 {
            findings[at].fingerprint = nth_fingerprint(&findings[at].fingerprint, *count);
        }
        *count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::merge;
    use crate::anchor::Anchor;
    use crate::diff::{Diff, Side};
    use crate::engine::Candidate;
    use crate::finding::{Category, Finding, Priority};

    const DIFF: &str = "--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,6 @@\n+a\n+a\n+b\n+c\n+d\n+e\n";

    fn finding(line: u32, rule: Option<&str>, priority: Priority, confidence: f32) -> Finding {
        let candidate = Candidate {
            file: 0,
            side: Side::New,
            line,
            rule_id: rule.map(str::to_owned),
            priority,
            category: Category::LogicBug,
            summary: format!("{rule:?}"),
            suggested_fix: None,
            confidence,
            scope: None,
        };
        Anchor::new(&Diff::parse(DIFF).unwrap()).anchor(candidate).unwrap()
    }

    #[test]
    fn two_engines_near_each_other_become_one_surer_finding() {
        let (merged, _) =
            merge(vec![finding(3, Some("r"), Priority::P2, 0.5), finding(5, None, Priority::P1, 0.5)], 10);
        assert_eq!(merged.len(), 1);
        assert_eq!(
            (merged[0].priority(), merged[0].rule_id(), merged[0].confidence()),
            (Priority::P1, Some("r"), 0.75)
        );
    }

    #[test]
    fn the_result_does_not_depend_on_the_order_of_the_input() {
        let all = [
            finding(1, Some("r"), Priority::P2, 0.5),
            finding(1, Some("s"), Priority::P2, 0.5),
            finding(2, Some("r"), Priority::P0, 0.9),
            finding(6, None, Priority::P3, 0.2),
        ];
        let forward = merge(all.to_vec(), 10).0;
        let backward = merge(all.iter().rev().cloned().collect(), 10).0;
        assert_eq!(forward, backward);
        assert_eq!(forward.iter().map(Finding::line_number).collect::<Vec<_>>(), [2, 1, 6]);
    }

    #[test]
    fn equal_lines_get_different_fingerprints() {
        let (merged, _) =
            merge(vec![finding(1, Some("r"), Priority::P2, 0.5), finding(2, Some("r"), Priority::P2, 0.5)], 10);
        assert_eq!(merged.len(), 2);
        assert_ne!(merged[0].fingerprint(), merged[1].fingerprint());
    }

    #[test]
    fn the_cap_keeps_the_most_important_and_says_what_it_cut() {
        let (merged, warning) =
            merge(vec![finding(1, Some("r"), Priority::P3, 0.9), finding(2, Some("r"), Priority::P0, 0.1)], 1);
        assert_eq!(merged[0].priority(), Priority::P0);
        assert!(warning.unwrap().message.starts_with("1 more"));
    }
}
