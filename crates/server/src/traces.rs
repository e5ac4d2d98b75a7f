//! Spans for a collector of traces: requests, reviews, engines.
//!
//! They have a target of their own, so that the log's filter leaves them out and a collector gets them alone. What they
//! say is of the service's own making: no path, query, token or code.

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, StatusCode};
use opentelemetry::global;
use opentelemetry::propagation::Extractor;
use tracing::Span;
use tracing::field::Empty;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// The target of every span that is meant for a collector.
pub const TRACES: &str = "telemetry";

/// The span of a request, in its caller's trace where it names one (W3C Trace Context).
pub(crate) fn request(request: &Request, method: &'static str, request_id: &str) -> Span {
    let route = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
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
        let parent = global::get_text_map_propagator(|propagator| propagator.extract(&Parent(request.headers())));
        // Without a collector's layer there is nobody to tell.
        let _ = span.set_parent(parent);
    }
    span
}

/// Notes how a request was answered.
pub(crate) fn answered(span: &Span, status: StatusCode) {
    // An unsigned number would be recorded as text.
    span.record("http.response.status_code", i64::from(status.as_u16()));
    if status.is_server_error() {
        span.record("otel.status_code", "ERROR");
    }
}

/// The caller's place in its trace. Its `tracestate` is free text of any length, and nothing here needs it.
struct Parent<'a>(&'a HeaderMap);

impl Extractor for Parent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).filter(|_| key == "traceparent")?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}
