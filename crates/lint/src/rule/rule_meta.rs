//! The properties of a rule that its findings need.

use review::{Candidate, Category, Origin, Priority, Side};
use syntax::semantics::secrets::shown;

/// The properties of a rule that its findings need.
#[derive(Clone, Copy)]
pub(crate) struct RuleMeta<'a> {
    pub(crate) id: &'a str,
    pub(crate) fix: &'a str,
    /// The priority of its findings.
    pub(crate) priority: Priority,
    pub(crate) category: Category,
    pub(crate) confidence: f32,
}

impl RuleMeta<'_> {
    /// Creates a finding. Its summary may quote a secret, so it is masked here, for all kinds of rules.
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
            span: None,
            related: Vec::new(),
            references: Vec::new(),
            replacement: None,
            lowered_in_test_code: false,
            suppression: None,
        }
    }
}
