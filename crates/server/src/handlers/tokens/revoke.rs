//! DELETE /v1/tokens/{tokenId}

use axum::extract::State as Shared;
use axum::http::StatusCode;
use store::TokenId;

use crate::State;
use crate::error::{Code, Problem};
use crate::extract::caller::UnscopedToken;
use crate::extract::{Call, Named, TokensWrite};
use crate::refusals::problems;

problems!(EVERY, V1; NotFound);

/// Revoke a token
///
/// It becomes invalid immediately, even if it made this request, and so does everything created with it: other
/// tokens, open invitations and browser sessions. The caller's token must not be bound to one organization.
#[utoipa::path(
    delete,
    path = "/v1/tokens/{tokenId}",
    operation_id = "revokeToken",
    tag = "Tokens",
    security(("bearer" = ["tokens:write"])),
    params(("tokenId" = String, Path, description = "One of the caller's tokens", example = "tok_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses((status = 204, description = "The token is revoked"), Problems)
)]
pub(crate) async fn revoke(
    Shared(state): Shared<State>,
    call: Call<UnscopedToken<TokensWrite>, Named<TokenId>>,
) -> Result<StatusCode, Problem> {
    let revoked = match call.input.0 {
        Some(token) => state
            .store()
            .revoke_token_of(call.principal.0.user, token, state.now())
            .await?
            .is_some(),
        None => false,
    };
    if revoked {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(
            Code::NotFound,
            "The caller has no such token.",
        ))
    }
}
