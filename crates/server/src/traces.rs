//! Trace spans for a collector: requests, reviews, engines.
//!
//! They have a target of their own, so that the log's filter excludes them and a collector gets only them. Their
//! fields come from the service: no path, query, token or code.

#[cfg(feature = "telemetry")]
mod parent;

use axum::extract::{MatchedPath, Request};
use axum::http::StatusCode;
use tracing::Span;
use tracing::field::Empty;

/// The target of every span for a collector.
pub const TRACES: &str = "telemetry";

/// The span of a request, within the caller's trace if the request names one (W3C Trace Context).
pub(crate) fn request(request: &Request, method: &'static str, request_id: &str) -> Span {
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map(MatchedPath::as_str);
    let span = tracing::info_span!(
        target: TRACES,
        "request",
        otel.kind = "server",
        otel.name = Empty,
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        request_id,
    );
    if !span.is_disabled() {
        span.record("otel.name", format!("{method} {}", route.unwrap_or("none")));
        #[cfg(feature = "telemetry")]
        parent::set(&span, request.headers());
    }
    span
}

/// Records the response's status.
pub(crate) fn answered(span: &Span, status: StatusCode) {
    // An unsigned number would be recorded as text.
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}
