//! A finding while its rule may still change it.

use review::{Candidate, Priority};

use super::evidence;
use crate::semantics::secrets::shown;

/// A finding that was just reported, to change what differs from the rule's own values.
pub struct FindingBuilder<'s>(Option<&'s mut Candidate>);

impl<'s> FindingBuilder<'s> {
    /// Of a finding that is not taken.
    pub(super) fn none() -> Self {
        Self(None)
    }

    /// Adds a finding to others.
    pub(crate) fn new(found: &'s mut Vec<Candidate>, candidate: Candidate) -> Self {
        found.push(candidate);
        Self(found.last_mut())
    }
}

impl FindingBuilder<'_> {
    /// Says how much this one matters, as far as the rule's evidence allows.
    pub fn priority(mut self, priority: Priority) -> Self {
        if let Some(found) = &mut self.0 {
            found.priority = evidence::capped(priority, found.confidence);
        }
        self
    }

    /// Gives this one its own advice.
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        if let Some(found) = &mut self.0 {
            found.suggested_fix = Some(shown(found.category, &fix.into()));
        }
        self
    }
}
