//! What of a rule goes into its findings.

use review::{Candidate, Category, Origin, Priority, Side};

use super::evidence;
use crate::semantics::secrets::shown;

/// What of a rule goes into its findings.
#[derive(Clone, Copy)]
pub(crate) struct RuleMeta<'a> {
    pub(crate) id: &'a str,
    pub(crate) fix: &'a str,
    /// How much the defect matters where the rule is right.
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    /// What the author of a rule of the user's own says; a built-in rule has earned its confidence.
    pub(crate) confidence: Option<f32>,
}

impl RuleMeta<'_> {
    /// How much a finding matters, and how likely it is to be right.
    pub(crate) fn belief(&self) -> (Priority, f32) {
        match self.confidence {
            // Whoever writes a rule for a repository knows how loud it is to be there.
            Some(confidence) => (self.priority, confidence),
            None => {
                let confidence = evidence::confidence(self.id);
                (evidence::capped(self.priority, confidence), confidence)
            }
        }
    }

    /// A finding of the rule. What its summary quotes may hold a secret, so it is masked here, for all kinds of rules.
    pub(crate) fn candidate(&self, file: usize, side: Side, line: u32, summary: &str) -> Candidate {
        let (priority, confidence) = self.belief();
        Candidate {
            file,
            side,
            line,
            origin: Origin::Rule(self.id.into()),
            priority,
            category: self.category,
            summary: shown(self.category, summary),
            suggested_fix: Some(self.fix.to_owned()).filter(|fix| !fix.is_empty()),
            confidence,
            scope: None,
            span: None,
            related: Vec::new(),
        }
    }
}
