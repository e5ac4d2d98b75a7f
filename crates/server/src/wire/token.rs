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

/// A token, without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Token {
    /// Names the token, and is no secret: opaque; starts with `tok_`.
    #[schema(example = "tok_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) token_id: String,
    /// For people to read; not unique.
    #[schema(example = "ci")]
    pub(crate) name: String,
    /// What it may be used for.
    pub(crate) scopes: Vec<Scope>,
    /// The only organization that it may be used in; `null` for any.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: Option<String>,
    /// When it was made, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
    /// From this time on it is refused; `null` for never.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
    /// When it was last used, to about a minute; `null` for never. A use shows up a moment later.
    #[schema(format = DateTime, example = "2026-11-21T08:30:00Z")]
    pub(crate) last_used_at: Option<String>,
}

/// A page of tokens.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The caller's tokens, the newest last.
    pub(crate) tokens: Vec<Token>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A new token. It is not `Debug`: it has the secret.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewTokenBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) token: Token,
    /// What to send as `Authorization: Bearer`. It is shown this once and kept nowhere.
    #[schema(example = "hw_…")]
    pub(crate) secret: String,
}

/// What a new token is to be.
#[derive(Debug, ToSchema)]
#[schema(as = CreateToken)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request in the OpenAPI document; extract::json reads it")]
pub(crate) struct CreateTokenBody {
    /// For people to read. White space (Unicode) around it is removed; then it must have 1 to 120 characters, at least one
    /// of them visible, no control characters and none that misleads who reads the name (what turns the direction of writing,
    /// or is not seen).
    #[schema(example = "ci", min_length = 1)]
    pub(crate) name: String,
    /// What it may be used for: of the scopes of the token that the request is made with.
    #[schema(min_items = 1)]
    pub(crate) scopes: Vec<Scope>,
    /// The only organization that it may be used in, of which the caller is a member.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: Option<String>,
    /// From this time on it is refused, RFC 3339: no later than the token that the request is made with, and then unless told.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
}
