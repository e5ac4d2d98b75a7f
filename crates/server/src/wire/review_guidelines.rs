//! An organization's review guidelines.

use serde::Serialize;
use utoipa::ToSchema;

/// Background for reviewers about an organization's code.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ReviewGuidelines)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ReviewGuidelinesBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The text; `null` if none is set.
    #[schema(example = "Amounts are in cents. Handlers must not block.")]
    pub(crate) guidelines: Option<String>,
    /// When it was set, RFC 3339 in UTC; `null` if none is set.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) updated_at: Option<String>,
}

/// The guidelines to set.
#[derive(Debug, ToSchema)]
#[schema(as = SetReviewGuidelines)]
#[serde(deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct SetReviewGuidelinesBody {
    /// Surrounding whitespace (Unicode) is removed; then it must have 1 to 8192 bytes (UTF-8), and no control
    /// characters other than line feed and tab.
    #[schema(
        example = "Amounts are in cents. Handlers must not block.",
        min_length = 1
    )]
    pub(crate) guidelines: String,
}
