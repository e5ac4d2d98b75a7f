//! The limits in force. Their names are those of the `[limits]` table of the settings.

use serde::{Deserialize, Serialize};

/// Longest name of an organization after trimming, in Unicode scalar values. The product fixes it.
pub(crate) const ORGANIZATION_NAME_CHARACTERS: usize = 120;

/// Longest review guidelines of an organization after trimming, in bytes (UTF-8): more would crowd out the change.
pub(crate) const REVIEW_GUIDELINES_BYTES: usize = 8 * 1024;

/// What one request, one token and one organization may ask for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a request body after decoding.
    pub body_bytes: usize,
    /// Bytes of a diff.
    pub diff_bytes: usize,
    /// Lines of a diff.
    pub diff_lines: usize,
    /// Files of a diff.
    pub diff_files: usize,
    /// Bytes of one line of a diff; a longer line is cut for analysis, with a warning.
    pub line_bytes: usize,
    /// Unicode scalar values of a client reference.
    pub client_reference_characters: usize,
    /// Seconds that one analysis may take.
    pub analysis_seconds: u64,
    /// Seconds that one call of a language-model provider may take.
    pub provider_call_seconds: u64,
    /// Reviews of one organization at once, over all replicas.
    pub reviews_per_organization: usize,
    /// Reviews of one process at once, whose machine that guards.
    pub reviews_total: usize,
    /// Seconds that a review waits for its turn.
    pub queue_seconds: u64,
    /// Requests of one token in a minute, over all replicas.
    pub requests_per_minute: u32,
    /// Findings in one response; the most important ones are kept.
    pub findings: usize,
    /// Seconds in which the header of a request must arrive.
    pub header_seconds: u64,
    /// Seconds that the body of a request may take without progress.
    pub body_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 8 << 20,
            diff_bytes: 4 << 20,
            diff_lines: 100_000,
            diff_files: 1_000,
            line_bytes: 1 << 20,
            client_reference_characters: 256,
            analysis_seconds: 600,
            provider_call_seconds: 120,
            reviews_per_organization: 16,
            reviews_total: 1_024,
            queue_seconds: 10,
            requests_per_minute: 600,
            findings: 500,
            header_seconds: 10,
            body_seconds: 60,
        }
    }
}
