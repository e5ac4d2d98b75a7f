//! GET /openapi.json

use axum::extract::State as Shared;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::State;
use crate::refusals::problems;

problems!(EVERY);

/// This document
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "getOpenApi",
    tag = "Service",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1", content_type = "application/json", body = Object, example = json!({ "openapi": "3.1.0", "info": { "title": "Hunkwise" }, "paths": {} })), Problems)
)]
pub(crate) async fn openapi(Shared(state): Shared<State>, headers: HeaderMap) -> Response {
    state.openapi().answer(&headers)
}
