//! The caller's span (W3C Trace Context).

use axum::http::HeaderMap;
use opentelemetry::global;
use opentelemetry::propagation::Extractor;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

/// Makes the span in the request's header the parent of `span`.
pub(super) fn set(span: &Span, headers: &HeaderMap) {
    let parent = global::get_text_map_propagator(|propagator| propagator.extract(&Parent(headers)));
    // It fails if no traces are collected, when the parent is irrelevant.
    let _uncollected = span.set_parent(parent);
}

/// Reads only `traceparent`: `tracestate` is free text of any length, and is not used.
struct Parent<'a>(&'a HeaderMap);

impl Extractor for Parent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0
            .get(key)
            .filter(|_| key == "traceparent")?
            .to_str()
            .ok()
    }

    fn keys(&self) -> Vec<&str> {
        vec!["traceparent"]
    }
}
