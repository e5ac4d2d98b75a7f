//! Traces for an OpenTelemetry collector, with the Cargo feature `telemetry`.
//!
//! The feature is off by default because its libraries take long to compile. Released packages and images have it.

#[cfg(not(feature = "telemetry"))]
mod disabled;
#[cfg(feature = "telemetry")]
mod otlp;

#[cfg(not(feature = "telemetry"))]
pub(crate) use disabled::{Traces, layer, start, trace_parent};
#[cfg(feature = "telemetry")]
pub(crate) use otlp::{Traces, layer, start, trace_parent};
