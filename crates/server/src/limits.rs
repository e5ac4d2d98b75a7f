//! The limits in force. Their names are those of the `[limits]` table of the settings.

use std::fmt;

use review::Extent;
use serde::{Deserialize, Serialize};
use store::Caps;

/// Longest name of an organization after trimming, in Unicode scalar values. The product fixes it.
pub(crate) const ORGANIZATION_NAME_CHARACTERS: usize = 120;

/// Longest review guidelines of an organization after trimming, in bytes (UTF-8): more would crowd out the change.
pub(crate) const REVIEW_GUIDELINES_BYTES: usize = 8 * 1024;

/// Limits per request, token, user and organization.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Bytes of a request body after decoding.
    pub body_bytes: usize,
    /// Bytes of a diff.
    pub diff_bytes: usize,
    /// Lines of a diff.
    pub diff_lines: usize,
    /// Files of a diff that have lines to review: deleted, renamed, binary, generated and vendored files do not count.
    pub diff_files: usize,
    /// Bytes of a path in a diff.
    pub path_bytes: usize,
    /// Bytes of a hunk header, section heading included.
    pub hunk_header_bytes: usize,
    /// Parents of a combined diff.
    pub combined_parents: usize,
    /// Bytes of one line of a diff; a longer line is cut for analysis, with a warning.
    pub line_bytes: usize,
    /// Unicode scalar values of a client reference.
    pub client_reference_characters: usize,
    /// Seconds that one analysis may take.
    pub analysis_seconds: u64,
    /// Seconds that one call of a language-model provider may take; `None` without a model.
    pub provider_call_seconds: Option<u64>,
    /// Reviews of one organization at once, over all replicas.
    pub reviews_per_organization: usize,
    /// Concurrent reviews of one process, to protect its machine.
    pub reviews_total: usize,
    /// Bytes of memory that the reviews of this process may take together; `None`: no limit.
    pub review_memory: Option<usize>,
    /// Seconds that a review waits for a slot and for memory.
    pub queue_seconds: u64,
    /// Requests of one token in a minute, over all replicas.
    pub requests_per_minute: u32,
    /// Findings in one response; the most important ones are kept.
    pub findings: usize,
    /// Seconds in which the header of a request must arrive.
    pub header_timeout_seconds: u64,
    /// Seconds that the body of a request may take without progress.
    pub body_timeout_seconds: u64,
    /// Average decoded bytes per second at which a request body must arrive, after those seconds.
    pub body_bytes_per_second: u64,
    /// Requests of all tokens of one user together in a minute, as a multiple of those of one token.
    pub user_requests_factor: u32,
    /// Reviews of one user at once in one process, as a multiple of those of one organization.
    pub user_reviews_factor: usize,
    /// Organizations that one user may own, without archived ones.
    pub organizations_per_user: u32,
    /// Valid tokens of one user.
    pub tokens_per_user: u32,
    /// Organizations in which one user is entitled automatically.
    pub grants_per_user: u32,
    /// Open invitations of one organization.
    pub invitations_per_organization: u32,
}

impl Limits {
    /// Those that the store keeps.
    pub(crate) fn caps(&self) -> Caps {
        Caps {
            organizations_per_user: self.organizations_per_user,
            tokens_per_user: self.tokens_per_user,
            grants_per_user: self.grants_per_user,
            invitations_per_organization: self.invitations_per_organization,
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        let caps = Caps::default();
        Self {
            body_bytes: 8 << 20,
            diff_bytes: 4 << 20,
            diff_lines: 100_000,
            diff_files: 1_000,
            path_bytes: 4_096,
            hunk_header_bytes: 4_096,
            combined_parents: 64,
            line_bytes: 1 << 20,
            client_reference_characters: 256,
            analysis_seconds: 600,
            provider_call_seconds: None,
            reviews_per_organization: 16,
            reviews_total: 1_024,
            review_memory: None,
            queue_seconds: 10,
            requests_per_minute: 600,
            findings: 500,
            header_timeout_seconds: 10,
            body_timeout_seconds: 60,
            body_bytes_per_second: 8 << 10,
            user_requests_factor: 5,
            user_reviews_factor: 4,
            organizations_per_user: caps.organizations_per_user,
            tokens_per_user: caps.tokens_per_user,
            grants_per_user: caps.grants_per_user,
            invitations_per_organization: caps.invitations_per_organization,
        }
    }
}

impl Limits {
    /// The first limit that a part of the diff is beyond: a path, a hunk header, or the parents of a merge.
    #[must_use]
    pub fn exceeded_by(&self, extent: &Extent) -> Option<Exceeded> {
        let limits = [
            ("pathBytes", "bytes", self.path_bytes, extent.path_bytes),
            ("hunkHeaderBytes", "bytes", self.hunk_header_bytes, extent.hunk_header_bytes),
            ("combinedParents", "parents", self.combined_parents, extent.combined_parents),
        ];
        let beyond = limits.into_iter().find(|(_, _, limit, sent)| sent > limit);
        beyond.map(|(name, unit, limit, sent)| Exceeded { name, unit, limit, sent })
    }
}

/// A limit, and what was sent beyond it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exceeded {
    name: &'static str,
    unit: &'static str,
    limit: usize,
    sent: usize,
}

impl fmt::Display for Exceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, unit, limit, sent } = self;
        write!(f, "The limit `{name}` is {limit} {unit}; the request has {sent} {unit}.")
    }
}
