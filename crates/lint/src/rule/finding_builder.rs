//! Adjusts a finding just after it is reported.

use review::{Candidate, Priority};

use super::evidence;
use crate::semantics::secrets::shown;

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
    /// Sets the priority, as far as the rule's evidence allows.
    pub fn priority(mut self, priority: Priority) -> Self {
        if let Some(found) = &mut self.0 {
            found.priority = evidence::capped(priority, found.confidence);
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
}
