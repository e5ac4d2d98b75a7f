//! `GET /metrics`, on a listener of its own: nobody is asked who they are, so it is not part of the API.

use axum::Router;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::State;

const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The metrics of the service, and nothing else.
pub fn metrics_router(state: State) -> Router {
    Router::new().route("/metrics", get(scrape)).with_state(state)
}

async fn scrape(Shared(state): Shared<State>) -> Response {
    match state.metrics().page(state.store()).await {
        Ok(page) => {
            ([(header::CONTENT_TYPE, MEDIA_TYPE), (header::X_CONTENT_TYPE_OPTIONS, "nosniff")], page).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
