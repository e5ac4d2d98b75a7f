//! Adjusts a finding just after it is reported.

use review::{Candidate, Place, Priority, Reference, Replacement, Side};
use syntax::semantics::secrets::{redacted, shown};
use syntax::tree::Node;

use super::evidence;

/// A reported finding, to override the rule's default values.
pub struct FindingBuilder<'s>(Option<&'s mut Candidate>);

impl<'s> FindingBuilder<'s> {
    /// For a finding that is not accepted.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Adds a finding to the list.
    pub(crate) fn new(found: &'s mut Vec<Candidate>, candidate: Candidate) -> Self {
        found.push(candidate);
        Self(found.last_mut())
    }
}

impl FindingBuilder<'_> {
    /// Sets the priority, up to the limit set by the rule's evidence.
    pub fn priority(mut self, priority: Priority) -> Self {
        if let Some(found) = &mut self.0 {
            found.priority = evidence::lowered(priority, found.confidence);
        }
        self
    }

    /// Sets the suggested fix.
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        if let Some(found) = &mut self.0 {
            found.suggested_fix = Some(shown(found.category, &fix.into()));
        }
        self
    }

    /// Adds lines that show the defect and that may be outside the diff.
    pub(super) fn references(mut self, places: Vec<Reference>) -> Self {
        if let Some(found) = &mut self.0 {
            found.references = places;
        }
        self
    }

    /// Adds other places with the same defect.
    pub fn related(mut self, places: &[Place]) -> Self {
        if let Some(found) = &mut self.0 {
            found.related = places.to_vec();
        }
        self
    }

    /// Proposes text that replaces a node. It must remove the defect and change nothing else.
    ///
    /// Only code that the change added is replaced, and text with a secret is never proposed.
    pub fn replace(mut self, node: Node<'_>, text: impl Into<String>) -> Self {
        if let Some(found) = &mut self.0 {
            found.replacement = replacement(node, text.into());
        }
        self
    }
}

/// A replacement with columns in bytes.
fn replacement(node: Node<'_>, text: String) -> Option<Replacement> {
    let is_added =
        node.tree().side() == Side::New && node.is_within_hunk() && node.is_all_changed();
    if !is_added || node.is_recovered() || redacted(&text) != text {
        return None;
    }
    Some(Replacement {
        line: node.report_line()?.number,
        span: node.span()?,
        text,
    })
}
