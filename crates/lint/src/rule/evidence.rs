//! The evidence for a rule's confidence: its findings on real changes, and readers' verdicts on them.
//!
//! The table of the built-in rules is generated from `eval/evidence.tsv` and `eval/verdicts.tsv`; `xtask/src/ledger` has the
//! formula.

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
    /// The harmless twins of such mistakes with any finding.
    pub twins: u32,
    /// Findings in merged changes and in source trees that readers judged useful.
    pub useful: u32,
    /// Such findings that they judged not useful.
    pub wrong: u32,
}

/// The evidence for one rule.
pub struct EvidenceRow {
    /// The rule's ID.
    pub id: &'static str,
    /// The confidence that follows from the counts.
    pub confidence: f32,
    /// The counts.
    pub evidence: Evidence,
}

/// The evidence for the rules of a catalog.
pub struct EvidenceTable {
    /// The numbers of examined changes, lines of source trees, lines of suites, and judged findings.
    pub looked_at: Evidence,
    /// The rules that were measured, in the order of their IDs.
    pub rules: &'static [EvidenceRow],
}

/// The confidence of a rule that is not in the table: too low for a high priority.
const UNKNOWN: f32 = 0.5;
/// The confidence of the rules in [`FACTS`].
const CERTAIN: f32 = 0.95;
/// Rules that state a fact that the diff itself shows. No sample could make them less likely.
const FACTS: &[&str] = &[HIDDEN_RULE];
/// The minimum confidence for P0.
const SURE: f32 = 0.8;
/// The minimum confidence for the priority of the consequence.
const LIKELY: f32 = 0.6;
/// The minimum confidence for one step below it.
const POSSIBLE: f32 = 0.3;

impl EvidenceTable {
    /// A table without rows.
    pub const EMPTY: Self = Self {
        looked_at: Evidence {
            bugs: 0,
            fixes: 0,
            arrivals: 0,
            merged: 0,
            trees: 0,
            suites: 0,
            suites_clean: 0,
            mistakes: 0,
            twins: 0,
            useful: 0,
            wrong: 0,
        },
        rules: &[],
    };

    /// The evidence for a rule; `None` if it was never measured.
    pub(crate) fn find(&self, id: &str) -> Option<&'static EvidenceRow> {
        let at = self.rules.binary_search_by(|row| row.id.cmp(id)).ok()?;
        self.rules.get(at)
    }

    /// The confidence of a rule.
    pub(crate) fn confidence(&self, id: &str) -> f32 {
        if FACTS.contains(&id) {
            return CERTAIN;
        }
        self.find(id).map_or(UNKNOWN, |row| row.confidence)
    }
}

/// The priority of a built-in rule's finding: that of the consequence, if the finding is likely enough to be right.
/// Users switch off a reviewer with many urgent false positives.
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

    use super::{EvidenceTable, UNKNOWN, lowered};

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
    fn a_rule_without_evidence_is_lowered_by_one_step() {
        assert_eq!(EvidenceTable::EMPTY.confidence("any/of-tomorrow"), UNKNOWN);
        assert_eq!(lowered(Priority::P1, UNKNOWN), Priority::P2);
    }
}
