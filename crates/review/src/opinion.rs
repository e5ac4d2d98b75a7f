//! A language model's opinion on a finding of a rule.
//!
//! A change is hostile input and may talk a model out of a finding. So an opinion lowers a priority by one step at most,
//! only a P3 is dropped, and a finding that an attacker would want to hide keeps its priority.

use crate::candidate::Candidate;
use crate::finding::{Category, Priority};

/// The share of the remaining doubt that a confirmation removes.
const CONFIRMS: f32 = 0.5;
/// The highest confidence that a confirmation leads to.
const MAX_CONFIRMED: f32 = 0.99;

/// An opinion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opinion {
    /// The finding is right.
    Confirmed,
    /// The finding is wrong, for this reason.
    Refuted(String),
}

impl Opinion {
    /// Changes a finding accordingly. Returns whether it is still to be reported.
    pub(crate) fn apply(&self, candidate: &mut Candidate) -> bool {
        match self {
            Self::Confirmed => {
                let sure = 1.0 - (1.0 - candidate.confidence) * (1.0 - CONFIRMS);
                candidate.confidence = sure.min(MAX_CONFIRMED).max(candidate.confidence);
                true
            }
            Self::Refuted(reason) => {
                match candidate.priority.lower() {
                    _ if is_protected(candidate) => {}
                    Some(lower) => candidate.priority = lower,
                    None => return false,
                }
                candidate.summary = format!(
                    "{} The language model disagrees: {reason}",
                    candidate.summary
                );
                true
            }
        }
    }
}

/// Whether an attacker would want to hide it.
fn is_protected(candidate: &Candidate) -> bool {
    match candidate.category {
        _ if candidate.reports_hidden_code() => true,
        Category::SecretExposure => true,
        Category::Security => candidate.priority <= Priority::P1,
        _ => candidate.priority == Priority::P0,
    }
}

#[cfg(test)]
mod tests {
    use super::Opinion;
    use crate::candidate::{Candidate, Origin};
    use crate::diff::Side;
    use crate::finding::{Category, Priority};
    use crate::rule_id::HIDDEN_RULE;

    fn of(priority: Priority, category: Category, rule: &str) -> Candidate {
        Candidate {
            file: 0,
            side: Side::New,
            line: 1,
            origin: Origin::Rule(rule.into()),
            priority,
            category,
            summary: "It is wrong.".to_owned(),
            suggested_fix: None,
            confidence: 0.7,
            scope: None,
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }

    /// The priority after a refutation; `None` if it is dropped.
    fn refuted(priority: Priority, category: Category, rule: &str) -> Option<Priority> {
        let mut candidate = of(priority, category, rule);
        let is_kept = Opinion::Refuted("No.".to_owned()).apply(&mut candidate);
        let summary = "It is wrong. The language model disagrees: No.";
        assert!(!is_kept || candidate.summary == summary, "{candidate:?}");
        is_kept.then_some(candidate.priority)
    }

    #[test]
    fn a_confirmed_finding_is_more_certain_and_otherwise_unchanged() {
        let before = of(Priority::P2, Category::LogicBug, "any/x");
        let mut after = before.clone();
        assert!(Opinion::Confirmed.apply(&mut after));
        assert!((after.confidence - 0.85).abs() < 1e-6, "{after:?}");
        let confidence = before.confidence;
        assert_eq!(
            Candidate {
                confidence,
                ..after
            },
            before
        );
    }

    #[test]
    fn a_refuted_finding_is_one_priority_lower_and_only_a_p3_is_dropped() {
        let of = |priority| refuted(priority, Category::LogicBug, "any/x");
        assert_eq!(of(Priority::P1), Some(Priority::P2));
        assert_eq!(of(Priority::P2), Some(Priority::P3));
        assert_eq!(of(Priority::P3), None);
    }

    #[test]
    fn a_refuted_finding_that_an_attacker_would_hide_keeps_its_priority() {
        for (priority, category) in [
            (Priority::P0, Category::LogicBug),
            (Priority::P1, Category::Security),
            (Priority::P3, Category::SecretExposure),
        ] {
            assert_eq!(refuted(priority, category, "any/x"), Some(priority));
        }
        let hidden = refuted(Priority::P2, Category::LogicBug, HIDDEN_RULE);
        assert_eq!(hidden, Some(Priority::P2));
        let security = refuted(Priority::P2, Category::Security, "any/x");
        assert_eq!(security, Some(Priority::P3));
    }
}
