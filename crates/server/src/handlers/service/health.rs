//! GET /healthz and GET /readyz

use axum::Json;
use axum::extract::State as Shared;

use crate::State;
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::refusals::problems;
use crate::wire::health::HealthBody;

problems!(EVERY; NotReady);

/// Liveness
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "getHealth",
    tag = "Service",
    security(()),
    responses((status = 200, description = "It runs", body = HealthBody), Problems)
)]
pub(crate) async fn healthz(context: Context) -> Json<HealthBody> {
    ok(&context)
}

/// Readiness
///
/// Checks that the database can be read and written. A service that is shutting down is not ready, although it still answers requests.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "getReadiness",
    tag = "Service",
    security(()),
    responses((status = 200, description = "It can", body = HealthBody), Problems)
)]
pub(crate) async fn readyz(
    context: Context,
    Shared(state): Shared<State>,
) -> Result<Json<HealthBody>, Problem> {
    if state.is_stopping() {
        return Err(Problem::new(Code::NotReady, "The service is stopping.").retry_after(1));
    }
    state.store().check().await?;
    Ok(ok(&context))
}

fn ok(context: &Context) -> Json<HealthBody> {
    Json(HealthBody {
        request_id: context.request_id().to_owned(),
        status: "ok",
    })
}
