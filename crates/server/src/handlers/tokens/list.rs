//! GET /v1/tokens

use axum::Json;
use axum::extract::State as Shared;
use store::TokenId;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::caller::UnscopedToken;
use crate::extract::{Call, Page, TokensWrite, page::PageParameters};
use crate::refusals::problems;
use crate::wire::token::TokenListBody;

problems!(EVERY, V1);

/// List the caller's tokens
///
/// The caller's tokens without their secrets, oldest first, including expired ones but not revoked ones. The caller's
/// token must not be bound to one organization.
#[utoipa::path(
    get,
    path = "/v1/tokens",
    operation_id = "listTokens",
    tag = "Tokens",
    security(("bearer" = ["tokens:write"])),
    params(PageParameters),
    responses((status = 200, description = "A page of tokens", body = TokenListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<UnscopedToken<TokensWrite>, Page<TokenId>>,
) -> Result<Json<TokenListBody>, Problem> {
    let page = &call.input;
    let mut tokens = state
        .store()
        .list_tokens(call.principal.0.user, page.after, page.limit + 1)
        .await?;
    let next_cursor = page.cut(&mut tokens, |token| token.id);
    Ok(Json(TokenListBody {
        request_id: call.context.request_id().to_owned(),
        tokens: tokens.into_iter().map(visible).collect(),
        next_cursor,
    }))
}
