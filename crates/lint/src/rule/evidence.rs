//! The evidence for a rule's confidence: its findings on real changes, and readers' verdicts on them.
//!
//! The table is generated from `eval/evidence.tsv` and `eval/verdicts.tsv`; `xtask/src/ledger` has the formula.

use review::{HIDDEN_RULE, Priority};
use serde::{Deserialize, Serialize};

/// How often a rule reported, in numbers of diffs, and how often it was right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evidence {
    /// Changes that introduced a bug.
    pub bugs: u32,
    /// The fixes of those bugs.
    pub fixes: u32,
    /// Changes that a later fix was traced back to.
    pub arrivals: u32,
    /// Changes that were reviewed and merged.
    pub merged: u32,
    /// Findings in the source trees of mature projects.
    pub trees: u32,
    /// Lines of other analysers' test suites with an expected finding.
    pub suites: u32,
    /// Lines of those suites without an expected finding.
    pub suites_clean: u32,
    /// Realistic mistakes that people make in real files, found near their line.
    pub mistakes: u32,
    /// The harmless twins of such mistakes on which it reported something.
    pub twins: u32,
    /// Findings in merged changes and in source trees that readers judged useful.
    pub useful: u32,
    /// Such findings that they judged not useful.
    pub wrong: u32,
}

/// A row of the table.
pub(crate) struct Earned {
    id: &'static str,
    pub(crate) confidence: f32,
    pub(crate) evidence: Evidence,
}

/// The examined corpora and each rule's results, in ID order.
struct Table {
    looked_at: Evidence,
    rules: &'static [Earned],
}

static TABLE: Table = include!("../../data/evidence.rs");

/// The confidence of a rule that is not in the table: too low for a high priority.
const UNKNOWN: f32 = 0.5;
/// The confidence of the rules in [`FACTS`].
const CERTAIN: f32 = 0.95;
/// Rules that state what the diff itself shows: no sample could make that less likely.
const FACTS: &[&str] = &[HIDDEN_RULE];
/// The minimum confidence for P0.
const SURE: f32 = 0.8;
/// The minimum confidence for the priority of the consequence.
const LIKELY: f32 = 0.6;
/// The minimum confidence for one step below it.
const POSSIBLE: f32 = 0.3;

const fn counts(of: [u32; 9], [useful, wrong]: [u32; 2]) -> Evidence {
    let [
        bugs,
        fixes,
        arrivals,
        merged,
        trees,
        suites,
        suites_clean,
        mistakes,
        twins,
    ] = of;
    Evidence {
        bugs,
        fixes,
        arrivals,
        merged,
        trees,
        suites,
        suites_clean,
        mistakes,
        twins,
        useful,
        wrong,
    }
}

const fn row(id: &'static str, confidence: f32, of: [u32; 9], read: [u32; 2]) -> Earned {
    Earned {
        id,
        confidence,
        evidence: counts(of, read),
    }
}

impl Evidence {
    /// The numbers of examined changes, lines of source trees, lines of suites, and judged findings.
    #[must_use]
    pub fn looked_at() -> Self {
        TABLE.looked_at
    }
}

/// The evidence for a built-in rule.
pub(crate) fn of(id: &str) -> Option<&'static Earned> {
    let at = TABLE.rules.binary_search_by(|row| row.id.cmp(id)).ok()?;
    TABLE.rules.get(at)
}

/// The confidence of a built-in rule.
pub(crate) fn confidence(id: &str) -> f32 {
    let measured = of(id).map_or(UNKNOWN, |row| row.confidence);
    if FACTS.contains(&id) {
        CERTAIN
    } else {
        measured
    }
}

/// The priority of a built-in rule's finding: that of the consequence, if the finding is likely enough to be right. A reviewer
/// with many urgent false positives gets switched off.
pub(crate) fn lowered(consequence: Priority, confidence: f32) -> Priority {
    if confidence < POSSIBLE {
        return Priority::P3;
    }
    match consequence {
        Priority::P0 if confidence >= SURE => Priority::P0,
        Priority::P0 | Priority::P1 if confidence >= LIKELY => Priority::P1,
        Priority::P0 | Priority::P1 => Priority::P2,
        Priority::P2 if confidence >= LIKELY => Priority::P2,
        Priority::P2 | Priority::P3 => Priority::P3,
    }
}

#[cfg(test)]
mod tests {
    use review::Priority;

    use super::{TABLE, UNKNOWN, confidence, lowered};

    #[test]
    fn the_table_is_in_order() {
        assert!(TABLE.rules.is_sorted_by(|a, b| a.id < b.id));
    }

    #[test]
    fn imprecise_rules_have_a_low_priority() {
        use Priority::{P0, P1, P2, P3};
        for (consequence, expected) in [
            (P0, [P0, P1, P1, P2, P2, P3]),
            (P1, [P1, P1, P1, P2, P2, P3]),
            (P2, [P2, P2, P2, P3, P3, P3]),
            (P3, [P3; 6]),
        ] {
            let got = [0.8, 0.79, 0.6, 0.59, 0.3, 0.29]
                .map(|confidence| lowered(consequence, confidence));
            assert_eq!(got, expected, "{consequence}");
        }
    }

    #[test]
    fn a_rule_without_evidence_is_lowered_by_a_step() {
        assert_eq!(confidence("any/of-tomorrow"), UNKNOWN);
        assert_eq!(lowered(Priority::P1, UNKNOWN), Priority::P2);
    }
}
