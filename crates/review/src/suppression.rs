//! Comments that suppress findings.

use serde::{Deserialize, Serialize};

/// A comment that suppresses a finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppression {
    /// Its line on the new side.
    pub line: u32,
    /// The reason in the comment; for another analyser's comment, its text.
    pub reason: String,
}
