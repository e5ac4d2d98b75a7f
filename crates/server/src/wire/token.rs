//! Access tokens as seen by their user.

use std::fmt;

use serde::Serialize;
use utoipa::ToSchema;

/// A permission of a token.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub(crate) enum Scope {
    /// Read the caller's organizations.
    #[serde(rename = "organizations:read")]
    OrganizationsRead,
    /// Create and change organizations.
    #[serde(rename = "organizations:write")]
    OrganizationsWrite,
    /// Submit reviews.
    #[serde(rename = "reviews:write")]
    ReviewsWrite,
    /// List, create and revoke the caller's tokens.
    #[serde(rename = "tokens:write")]
    TokensWrite,
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OrganizationsRead => "organizations:read",
            Self::OrganizationsWrite => "organizations:write",
            Self::ReviewsWrite => "reviews:write",
            Self::TokensWrite => "tokens:write",
        })
    }
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
    /// The token's ID, which is not secret: opaque; starts with `tok_`.
    #[schema(example = "tok_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) token_id: String,
    /// A display name; not unique.
    #[schema(example = "ci")]
    pub(crate) name: String,
    /// Its scopes.
    pub(crate) scopes: Vec<Scope>,
    /// The only organization in which it may be used; `null` for any.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: Option<String>,
    /// When it was created, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) created_at: String,
    /// When it expires; `null` for never.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
    /// When it was last used, to about a minute; `null` for never. A use is visible after a short delay.
    #[schema(format = DateTime, example = "2026-11-21T08:30:00Z")]
    pub(crate) last_used_at: Option<String>,
}

/// A page of tokens.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = TokenList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct TokenListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The caller's tokens, oldest first.
    pub(crate) tokens: Vec<Token>,
    /// Where the next page starts; `null` on the last page.
    pub(crate) next_cursor: Option<String>,
}

/// A new token. Not `Debug`: it contains the secret.
#[derive(Serialize, ToSchema)]
#[schema(as = CreatedToken)]
#[serde(rename_all = "camelCase")]
pub(crate) struct NewTokenBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) properties: Token,
    /// The token itself, to send as `Authorization: Bearer`. It is shown only once and not stored.
    #[schema(example = "hw_…")]
    pub(crate) token: String,
}

/// A token to create.
#[derive(Debug, ToSchema)]
#[schema(as = CreateToken)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct CreateTokenBody {
    /// The display name. Surrounding whitespace (Unicode) is removed; then it must have 1 to 120 characters, at least
    /// one of them visible, no control characters and no misleading ones (which change the writing direction or are
    /// invisible).
    #[schema(example = "ci", min_length = 1)]
    pub(crate) name: String,
    /// Its scopes, a subset of those of the token that makes the request.
    #[schema(min_items = 1)]
    pub(crate) scopes: Vec<Scope>,
    /// The only organization in which it may be used; the caller must be a member.
    #[schema(example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")]
    pub(crate) organization_id: Option<String>,
    /// When it expires, RFC 3339: no later than the token that makes the request, which is also the default.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
}
