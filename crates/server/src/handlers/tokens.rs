//! A user's own access tokens.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use super::written;
use crate::wire::token::Token;

/// A token as seen by its user, without its secret.
fn visible(token: store::Token) -> Token {
    Token {
        token_id: token.id.to_string(),
        name: token.name,
        scopes: token.scopes.into_iter().map(Into::into).collect(),
        organization_id: token
            .organization
            .map(|organization| organization.to_string()),
        created_at: written(token.created_at),
        expires_at: token.expires_at.map(written),
        last_used_at: token.last_used_at.map(written),
    }
}
