//! `GET /metrics`, on a listener of its own: it is unauthenticated, so it is not part of the API.

use axum::Router;
use axum::extract::State as Shared;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::State;
use crate::metrics::text_format;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const TEXT: &str = "text/plain; version=0.0.4; charset=utf-8";

/// Serves the metrics and nothing else.
pub fn metrics_router(state: State) -> Router {
    Router::new()
        .route("/metrics", get(scrape))
        .with_state(state)
}

/// Returns OpenMetrics, or Prometheus' text format if the client accepts only that.
async fn scrape(Shared(state): Shared<State>, headers: HeaderMap) -> Response {
    let Ok(page) = state.metrics().page(state.store()).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let (media_type, page) = if wants_text(&headers) {
        (TEXT, text_format::of_open_metrics(&page))
    } else {
        (OPEN_METRICS, page)
    };
    (
        [
            (header::CONTENT_TYPE, media_type),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        ],
        page,
    )
        .into_response()
}

fn wants_text(headers: &HeaderMap) -> bool {
    let accepted: Vec<&str> = headers
        .get_all(header::ACCEPT)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .collect();
    let accepts = |media_type: &str| {
        accepted
            .iter()
            .any(|value| value.to_ascii_lowercase().contains(media_type))
    };
    accepts("text/plain") && !accepts("application/openmetrics-text")
}
