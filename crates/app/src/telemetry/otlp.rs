//! Traces for an OpenTelemetry collector: OTLP (protobuf) over HTTP.
//!
//! A thread of the library sends spans in batches from a bounded queue. If the collector is slow or gone, only spans
//! are lost. The first failure is logged, and so is the recovery.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use futures_util::future::BoxFuture;
use opentelemetry::global;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use settings::{Secret, Telemetry};
use tokio::runtime::Handle;
use tracing::{Span, Subscriber};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::layer::Layer;
use tracing_subscriber::registry::LookupSpan;

use crate::outcome::Error;

/// Timeout for one batch, and for all remaining spans at the end.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Maximum size of the collector's response that is read, in bytes.
const ANSWER_BYTES: usize = 64 << 10;

/// Sends spans to the collector until shut down.
pub(crate) struct Traces {
    provider: SdkTracerProvider,
}

/// Starts to send traces. Must be called on a tokio runtime.
///
/// # Errors
/// A setting is unusable.
pub(crate) fn start(settings: &Telemetry) -> Result<Traces, Error> {
    let endpoint = format!(
        "{}/v1/traces",
        settings.otlp_endpoint.expose().trim_end_matches('/')
    );
    let exporter = SpanExporter::builder()
        .with_http()
        .with_http_client(Collector::new(settings.otlp_headers.as_ref())?)
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(endpoint)
        .with_timeout(TIMEOUT)
        .build()
        .map_err(|error| Error::usage(format!("[telemetry]: {error}")))?;
    let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder_empty()
        .with_service_name(settings.service_name.clone())
        .with_attribute(version)
        .build();
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(resource)
        // The trace ID decides instead of the caller's flag, so that callers cannot flood the collector.
        .with_sampler(Sampler::TraceIdRatioBased(settings.sampling_ratio))
        .build();
    global::set_text_map_propagator(TraceContextPropagator::new());
    Ok(Traces { provider })
}

impl Traces {
    /// Sends the remaining spans.
    pub(crate) async fn end(self) {
        let ended =
            tokio::task::spawn_blocking(move || self.provider.shutdown_with_timeout(TIMEOUT)).await;
        if !matches!(ended, Ok(Ok(()))) {
            tracing::warn!("the last traces could not be sent to the collector");
        }
    }
}

/// Sends spans to the collector: those with the target [`server::TRACES`].
pub(crate) fn layer<S>(traces: &Traces) -> impl Layer<S> + use<S>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    // Only the span's own fields: no file, thread or timing.
    tracing_opentelemetry::layer()
        .with_tracer(traces.provider.tracer("hunkwise"))
        .with_location(false)
        .with_threads(false)
        .with_tracked_inactivity(false)
        .with_target(false)
        .with_filter(filter_fn(|metadata| {
            metadata.is_span() && metadata.target() == server::TRACES
        }))
}

/// The current span in the format of W3C Trace Context (`traceparent`); `None` if no traces are collected.
pub(crate) fn trace_parent() -> Option<String> {
    let mut fields = HashMap::new();
    global::get_text_map_propagator(|propagator| {
        propagator.inject_context(&Span::current().context(), &mut fields)
    });
    fields.remove("traceparent")
}

/// The HTTP client of the library's thread: requests run on our runtime, because the client needs one.
struct Collector {
    http: reqwest::Client,
    runtime: Handle,
    failing: AtomicBool,
}

impl fmt::Debug for Collector {
    /// Omits the client, whose headers are secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collector").finish_non_exhaustive()
    }
}

impl Collector {
    fn new(headers: Option<&Secret>) -> Result<Self, Error> {
        llm::install_tls();
        let http = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .timeout(TIMEOUT)
            .default_headers(header_map(headers)?)
            .user_agent(concat!("hunkwise/", env!("CARGO_PKG_VERSION")))
            .build()
            .map_err(|_| {
                Error::usage("[telemetry]: TLS cannot be set up: this machine has no certificate authorities")
            })?;
        Ok(Self {
            http,
            runtime: Handle::current(),
            failing: AtomicBool::new(false),
        })
    }

    /// Logs the first failure after a success, and the first success after a failure.
    fn note(&self, failure: Option<&str>) {
        if self.failing.swap(failure.is_some(), Ordering::Relaxed) != failure.is_some() {
            match failure {
                Some(reason) => tracing::warn!(
                    reason,
                    "the collector cannot be reached; traces are dropped"
                ),
                None => tracing::info!("the collector can be reached again"),
            }
        }
    }
}

impl HttpClient for Collector {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> BoxFuture<'b, Result<Response<Bytes>, HttpError>>
    where
        'a: 'b,
        Self: 'b,
    {
        Box::pin(async move {
            let (parts, body) = request.into_parts();
            let sent = self
                .http
                .post(parts.uri.to_string())
                .headers(parts.headers)
                .body(body);
            let answer = self
                .runtime
                .spawn(answer(sent))
                .await
                .unwrap_or_else(|error| Err(error.into()));
            match &answer {
                Ok(answer) if answer.status().is_success() => self.note(None),
                Ok(answer) => self.note(Some(&format!("it answered {}", answer.status().as_u16()))),
                Err(_) => self.note(Some("no connection, or no response in time")),
            }
            answer
        })
    }
}

async fn answer(request: reqwest::RequestBuilder) -> Result<Response<Bytes>, HttpError> {
    // The error would contain the address, which may include a password.
    let mut response = request.send().await.map_err(reqwest::Error::without_url)?;
    let mut body = Vec::new();
    while let Some(part) = response
        .chunk()
        .await
        .map_err(reqwest::Error::without_url)?
    {
        if body.len() + part.len() > ANSWER_BYTES {
            return Err("the response is too large".into());
        }
        body.extend_from_slice(&part);
    }
    Ok(Response::builder()
        .status(response.status())
        .body(body.into())?)
}

/// The lines are not shown, because they may contain a key.
fn header_map(lines: Option<&Secret>) -> Result<HeaderMap, Error> {
    let wrong = || Error::usage("telemetry.otlp_headers: expected `name: value` on each line");
    let mut headers = HeaderMap::new();
    let lines = lines
        .map_or("", Secret::expose)
        .lines()
        .filter(|line| !line.trim().is_empty());
    for line in lines {
        let (name, value) = line.split_once(':').ok_or_else(wrong)?;
        let name = HeaderName::from_bytes(name.trim().as_bytes()).map_err(|_| wrong())?;
        let mut value = HeaderValue::from_str(value.trim()).map_err(|_| wrong())?;
        value.set_sensitive(true);
        headers.insert(name, value);
    }
    Ok(headers)
}
