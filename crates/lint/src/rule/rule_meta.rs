//! The properties of a rule that its findings need.

use review::{Candidate, Category, Origin, Priority, Side};

use super::evidence;
use crate::semantics::secrets::shown;

/// The properties of a rule that its findings need.
#[derive(Clone, Copy)]
pub(crate) struct RuleMeta<'a> {
    pub(crate) id: &'a str,
    pub(crate) fix: &'a str,
    /// The priority of a true positive.
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    /// The confidence that the author of a custom rule gives; that of a built-in rule comes from its evidence.
    pub(crate) confidence: Option<f32>,
}

impl RuleMeta<'_> {
    /// The priority and confidence of a finding.
    pub(crate) fn belief(&self) -> (Priority, f32) {
        match self.confidence {
            // The author of a repository's own rule decides about its priority.
            Some(confidence) => (self.priority, confidence),
            None => {
                let confidence = evidence::confidence(self.id);
                (evidence::lowered(self.priority, confidence), confidence)
            }
        }
    }

    /// Creates a finding. Its summary may quote a secret, so it is masked here, for all kinds of rules.
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
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }
}
