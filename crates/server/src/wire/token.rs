//! Access tokens as their user sees them.

use serde::Serialize;
use utoipa::ToSchema;

/// What a token may be used for.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) enum Scope {
    /// To see one's organizations.
    #[serde(rename = "organizations:read")]
    OrganizationsRead,
    /// To make and change organizations.
    #[serde(rename = "organizations:write")]
    OrganizationsWrite,
    /// To have code reviewed.
    #[serde(rename = "reviews:write")]
    ReviewsWrite,
    /// To see, make and revoke one's tokens.
    #[serde(rename = "tokens:write")]
    TokensWrite,
}

impl From<store::Scope> for Scope {
    fn from(scope: store::Scope) -> Self {
        match scope {
            store::Scope::OrganizationsRead => Self::OrganizationsRead,
            store::Scope::OrganizationsWrite => Self::OrganizationsWrite,
            store::Scope::ReviewsWrite => Self::ReviewsWrite,
            store::Scope::TokensWrite => Self::TokensWrite,
        }
    }
}
