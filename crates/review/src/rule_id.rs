//! The ID of a rule.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The rule that reports hidden files.
pub const HIDDEN_RULE: &str = "any/hidden-from-review";

/// The ID of a rule: `family/name`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RuleId(Box<str>);

impl RuleId {
    /// The ID as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for RuleId {
    fn from(id: &str) -> Self {
        Self(id.into())
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}
