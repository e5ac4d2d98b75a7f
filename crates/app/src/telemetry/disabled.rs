//! A build without the feature `telemetry`.

use settings::Telemetry;
use tracing_subscriber::layer::Identity;

use crate::outcome::Error;

/// This build has no traces.
pub(crate) enum Traces {}

/// Rejects the settings, so that expected traces are not silently missing.
///
/// # Errors
/// Always.
pub(crate) fn start(_settings: &Telemetry) -> Result<Traces, Error> {
    Err(Error::usage(
        "[telemetry]: this build of hunkwise cannot send traces; remove the section, use a released package or image, or build \
         with `--features telemetry`",
    ))
}

impl Traces {
    pub(crate) async fn end(self) {
        match self {}
    }
}

pub(crate) fn layer(traces: &Traces) -> Identity {
    match *traces {}
}

pub(crate) fn trace_parent() -> Option<String> {
    None
}
