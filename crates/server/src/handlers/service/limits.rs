//! GET /v1/limits

use axum::Json;
use axum::extract::State as Shared;

use crate::State;
use crate::extract::{AnyScope, Call, Caller, Nothing};
use crate::refusals::problems;
use crate::wire::limits::LimitsBody;

problems!(EVERY, V1);

/// Show the limits in force
#[utoipa::path(
    get,
    path = "/v1/limits",
    operation_id = "getLimits",
    tag = "Service",
    security(("bearer" = [])),
    responses((status = 200, description = "The limits", body = LimitsBody), Problems)
)]
pub(crate) async fn limits(
    Shared(state): Shared<State>,
    call: Call<Caller<AnyScope>, Nothing>,
) -> Json<LimitsBody> {
    Json(LimitsBody {
        request_id: call.context.request_id().to_owned(),
        limits: state.limits().into(),
    })
}
