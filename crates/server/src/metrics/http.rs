//! Requests.

use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;

use super::{Durations, GaugeGuard, durations};

/// Requests by route, method and status.
pub(crate) struct Http {
    requests: Durations<Labels>,
    in_flight: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    route: String,
    method: &'static str,
    status: &'static str,
}

impl Http {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let (requests, in_flight) = (durations(), Gauge::default());
        registry.register(
            "http_request_duration_seconds",
            "Time from the request header to the response header; status 499 means that the client disconnected",
            Durations::clone(&requests),
        );
        registry.register(
            "http_requests_in_flight",
            "Requests in flight",
            in_flight.clone(),
        );
        Self {
            requests,
            in_flight,
        }
    }

    /// Records the start of a request.
    pub(crate) fn begin(&self) -> GaugeGuard {
        GaugeGuard::new(&self.in_flight)
    }

    /// Records the end of a request: the template of its route, one of the known methods, and the status, if any.
    pub(crate) fn end(
        &self,
        route: Option<&str>,
        method: &'static str,
        status: Option<u16>,
        took: Duration,
    ) {
        let labels = Labels {
            route: route.unwrap_or("none").to_owned(),
            method,
            status: class(status),
        };
        self.requests
            .get_or_create(&labels)
            .observe(took.as_secs_f64());
    }
}

fn class(status: Option<u16>) -> &'static str {
    match status {
        None => "499",
        Some(..300) => "2xx",
        Some(300..400) => "3xx",
        Some(400..500) => "4xx",
        Some(500..) => "5xx",
    }
}
