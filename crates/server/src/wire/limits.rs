//! The limits in force, as callers see them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::{ORGANIZATION_NAME_CHARACTERS, REVIEW_GUIDELINES_BYTES};

/// The limits in force.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LimitsResponse)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitsBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The limits.
    pub(crate) limits: Limits,
}

/// Limits per request, token, user and organization.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Limits {
    /// Unicode scalar values of an organization's name after trimming.
    pub(crate) organization_name_characters: usize,
    /// Bytes (UTF-8) of an organization's review guidelines after trimming.
    pub(crate) review_guidelines_bytes: usize,
    /// Bytes of a request body after decoding.
    pub(crate) body_bytes: usize,
    /// Bytes of a diff.
    pub(crate) diff_bytes: usize,
    /// Lines of a diff.
    pub(crate) diff_lines: usize,
    /// Files of a diff that have lines to review: deleted, renamed, binary, generated and vendored files do not count.
    pub(crate) diff_files: usize,
    /// Bytes of a path in a diff.
    pub(crate) path_bytes: usize,
    /// Bytes of a hunk header, section heading included.
    pub(crate) hunk_header_bytes: usize,
    /// Parents of a combined diff.
    pub(crate) combined_parents: usize,
    /// Bytes of one line of a diff; a longer line is cut for analysis, with a warning.
    pub(crate) line_bytes: usize,
    /// Unicode scalar values of a client reference.
    pub(crate) client_reference_characters: usize,
    /// Seconds that one analysis may take.
    pub(crate) analysis_seconds: u64,
    /// Seconds that one call of a language-model provider may take; `null` without a model.
    #[schema(example = 120)]
    pub(crate) provider_call_seconds: Option<u64>,
    /// Reviews of one organization at once.
    pub(crate) reviews_per_organization: usize,
    /// Reviews of the whole server at once.
    pub(crate) reviews_total: usize,
    /// Bytes of memory that the reviews of the server may take together; `null`: no limit.
    #[schema(example = 1_073_741_824)]
    pub(crate) review_memory: Option<usize>,
    /// Seconds that a review waits for a slot and for memory.
    pub(crate) queue_seconds: u64,
    /// Requests of one token in a minute.
    pub(crate) requests_per_minute: u32,
    /// Findings in one response.
    pub(crate) findings: usize,
    /// Seconds in which the header of a request must arrive.
    pub(crate) header_timeout_seconds: u64,
    /// Seconds that the body of a request may take without progress.
    pub(crate) body_timeout_seconds: u64,
    /// Average decoded bytes per second at which a request body must arrive, after those seconds.
    pub(crate) body_bytes_per_second: u64,
    /// Requests of all tokens of one user together in a minute, as a multiple of those of one token.
    pub(crate) user_requests_factor: u32,
    /// Reviews of one user at once, as a multiple of those of one organization.
    pub(crate) user_reviews_factor: usize,
    /// Organizations that one user may own, without archived ones.
    pub(crate) organizations_per_user: u32,
    /// Valid tokens of one user.
    pub(crate) tokens_per_user: u32,
    /// Organizations in which one user is entitled automatically, where the service does that.
    pub(crate) grants_per_user: u32,
    /// Open invitations of one organization.
    pub(crate) invitations_per_organization: u32,
}

impl From<&crate::Limits> for Limits {
    fn from(limits: &crate::Limits) -> Self {
        Self {
            organization_name_characters: ORGANIZATION_NAME_CHARACTERS,
            review_guidelines_bytes: REVIEW_GUIDELINES_BYTES,
            body_bytes: limits.body_bytes,
            diff_bytes: limits.diff_bytes,
            diff_lines: limits.diff_lines,
            diff_files: limits.diff_files,
            path_bytes: limits.path_bytes,
            hunk_header_bytes: limits.hunk_header_bytes,
            combined_parents: limits.combined_parents,
            line_bytes: limits.line_bytes,
            client_reference_characters: limits.client_reference_characters,
            analysis_seconds: limits.analysis_seconds,
            provider_call_seconds: limits.provider_call_seconds,
            reviews_per_organization: limits.reviews_per_organization,
            reviews_total: limits.reviews_total,
            review_memory: limits.review_memory,
            queue_seconds: limits.queue_seconds,
            requests_per_minute: limits.requests_per_minute,
            findings: limits.findings,
            header_timeout_seconds: limits.header_timeout_seconds,
            body_timeout_seconds: limits.body_timeout_seconds,
            body_bytes_per_second: limits.body_bytes_per_second,
            user_requests_factor: limits.user_requests_factor,
            user_reviews_factor: limits.user_reviews_factor,
            organizations_per_user: limits.organizations_per_user,
            tokens_per_user: limits.tokens_per_user,
            grants_per_user: limits.grants_per_user,
            invitations_per_organization: limits.invitations_per_organization,
        }
    }
}
