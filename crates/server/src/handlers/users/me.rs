//! GET /v1/me

use axum::Json;

use crate::extract::{AnyScope, Call, Caller, Nothing};
use crate::refusals::problems;
use crate::wire::user::MeBody;

problems!(EVERY, V1);

/// Show the caller
///
/// The user and the scopes of the token.
#[utoipa::path(
    get,
    path = "/v1/me",
    operation_id = "getMe",
    tag = "Tokens",
    security(("bearer" = [])),
    responses((status = 200, description = "Who calls", body = MeBody), Problems)
)]
pub(crate) async fn show(call: Call<Caller<AnyScope>, Nothing>) -> Json<MeBody> {
    let principal = call.principal;
    Json(MeBody {
        request_id: call.context.request_id().to_owned(),
        user_id: principal.user.to_string(),
        display_name: principal.name,
        scopes: principal.scopes.into_iter().map(Into::into).collect(),
        organization_id: principal
            .bound_to
            .map(|organization| organization.to_string()),
    })
}
