//! What of a rule goes into its findings.

use review::{Candidate, Category, Origin, Priority, Side};

use crate::semantics::secrets::shown;

/// What of a rule goes into its findings.
#[derive(Clone, Copy)]
pub(crate) struct RuleMeta<'a> {
    pub(crate) id: &'a str,
    pub(crate) fix: &'a str,
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) confidence: f32,
}

impl RuleMeta<'_> {
    /// A finding of the rule. What its summary quotes may hold a secret, so it is masked here, for all kinds of rules.
    pub(crate) fn candidate(&self, file: usize, side: Side, line: u32, summary: &str) -> Candidate {
        Candidate {
            file,
            side,
            line,
            origin: Origin::Rule(self.id.into()),
            priority: self.priority,
            category: self.category,
            summary: shown(self.category, summary),
            suggested_fix: Some(self.fix.to_owned()).filter(|fix| !fix.is_empty()),
            confidence: self.confidence,
            scope: None,
        }
    }
}
