//! The settings for operation: certificates, proxies, browsers, traces.

use server::{AddressHeader, Network};

use super::field::{Field, Plain};
use super::masked::Url;
use super::section::{self, Presence, Section, Values, section};
use super::value::{FromValue, Secret, Value};

/// The service's certificate and its key, both in PEM.
#[derive(Debug, Clone)]
pub struct TlsFiles {
    /// The certificate with its intermediate certificates.
    pub certificate_file: String,
    /// The private key.
    pub key_file: String,
}

/// The proxies in front of the service.
#[derive(Debug, Clone)]
pub struct Proxy {
    /// The networks of trusted proxies.
    pub trusted: Vec<Network>,
    /// The header with the client's address.
    pub header: AddressHeader,
}

/// The permissions of browsers.
#[derive(Debug, Clone)]
pub struct Cors {
    /// Origins of other sites that may call the API.
    pub allowed_origins: Vec<String>,
}

/// The destination of traces.
#[derive(Debug, Clone)]
pub struct Telemetry {
    /// The collector, for OTLP over HTTP.
    pub otlp_endpoint: Url,
    /// Headers to send: `name: value`, one per line.
    pub otlp_headers: Option<Secret>,
    /// The name of this service for the collector.
    pub service_name: String,
    /// The fraction of traces that is sent.
    pub sampling_ratio: f64,
}

section! {
    /// TLS of the service itself. Absent: plain HTTP, for this machine or behind a proxy. The files are read again within
    /// seconds when they change, and on SIGHUP.
    TLS: "tls", Presence::Optional, filled by read_tls: TlsFiles;

    /// The certificate with its intermediate certificates, in PEM.
    certificate_file = Field::text(),
    /// The certificate's private key, in PEM.
    key_file = Field::text();
}

section! {
    /// The proxies in front of the service. Client addresses reported by them are used only for the log, if enabled
    /// (`log_client_addresses`).
    PROXY: "proxy", Presence::Always, filled by read_proxy: Proxy;

    /// Networks of trusted proxies.
    trusted = Field::networks().or(""),
    /// The header in which these proxies report the client's address.
    header = Field::choice(&["x-forwarded-for", "forwarded"]).or("x-forwarded-for");
}

section! {
    /// Permissions of pages in browsers.
    CORS: "cors", Presence::Always, filled by read_cors: Cors;

    /// Origins of other sites that may call the API.
    allowed_origins = Field::origins().or("");
}

section! {
    /// Traces for an OpenTelemetry collector. Absent: none. Released packages and images can send them; a build from source only with
    /// `--features telemetry`.
    TELEMETRY: "telemetry", Presence::Optional, filled by read_telemetry: Telemetry;

    /// The URL of the collector for OTLP over HTTP; `/v1/traces` is appended to it. With `otlp_headers`, plain http is
    /// only allowed for addresses in a private network.
    otlp_endpoint = Field::url(Plain::Anywhere).with_secrets(&["otlp_headers"]),
    /// Headers to send, one per line, as `name: value`.
    otlp_headers = Field::text().optional().secret(),
    /// The name of this service for the collector.
    service_name = Field::text().or("hunkwise"),
    /// The fraction of traces that is sent. The decision depends on the trace ID, not on the caller.
    sampling_ratio = Field::number(0.0, 1.0).or("1");
}

impl FromValue for AddressHeader {
    fn from_value(value: Option<&Value>) -> Option<Self> {
        match String::from_value(value)?.as_str() {
            "x-forwarded-for" => Some(Self::XForwardedFor),
            "forwarded" => Some(Self::Forwarded),
            _ => None,
        }
    }
}
