//! The service's certificate, which is read at the start and again when its files change or on SIGHUP.

use std::convert::Infallible;
use std::path::Path;
use std::time::{Duration, SystemTime};

use server::Tls;
use settings::TlsFiles;
use tokio::signal::unix::{SignalKind, signal};
use tracing::{error, info};

use crate::logging;
use crate::outcome::Error;

/// Certificates are renewed days before they expire; a check is two system calls.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Reads the certificate and its key.
///
/// # Errors
/// A file cannot be read, or its content is invalid.
pub(super) fn read(files: &TlsFiles) -> Result<Tls, Error> {
    let (certificate, key) = contents(files).map_err(Error::usage)?;
    Tls::new(&certificate, &key).map_err(|error| Error::usage(wrong(files, &error)))
}

/// Reloads the certificate when its files change. An invalid certificate is ignored. Without TLS, SIGHUP does nothing.
///
/// # Errors
/// The system does not allow listening for SIGHUP.
pub(super) async fn watch(
    tls: Option<&Tls>,
    files: Option<&TlsFiles>,
) -> Result<Infallible, Error> {
    let hangup = signal(SignalKind::hangup());
    let mut hangup =
        hangup.map_err(|error| Error::failure(format!("cannot listen for signals: {error}")))?;
    let (Some(tls), Some(files)) = (tls, files) else {
        loop {
            hangup.recv().await;
        }
    };
    let mut ticks = tokio::time::interval(POLL_INTERVAL);
    let mut seen = stamp(files);
    loop {
        let asked = tokio::select! {
            _ = hangup.recv() => true,
            _ = ticks.tick() => false,
        };
        let now = stamp(files);
        if asked || now != seen {
            seen = now;
            replace(tls, files);
        }
    }
}

fn replace(tls: &Tls, files: &TlsFiles) {
    let replaced = contents(files).and_then(|(certificate, key)| {
        tls.replace(&certificate, &key)
            .map_err(|error| wrong(files, &error))
    });
    match replaced {
        Ok(()) => info!(target: logging::START, "the TLS certificate was reloaded"),
        Err(reason) => error!(
            reason,
            "the TLS certificate was not reloaded; the current one remains in use"
        ),
    }
}

/// The metadata that changes with a file. Links are followed, because those of mounted secrets are replaced as a whole.
fn stamp(files: &TlsFiles) -> [Option<(SystemTime, u64)>; 2] {
    [&files.certificate_file, &files.key_file].map(|file| {
        let metadata = std::fs::metadata(file).ok()?;
        Some((metadata.modified().ok()?, metadata.len()))
    })
}

fn contents(files: &TlsFiles) -> Result<(Vec<u8>, Vec<u8>), String> {
    let read = |name: &str, file: &str| {
        std::fs::read(Path::new(file))
            .map_err(|error| format!("tls.{name}: cannot read {file}: {error}"))
    };
    Ok((
        read("certificate_file", &files.certificate_file)?,
        read("key_file", &files.key_file)?,
    ))
}

fn wrong(files: &TlsFiles, error: &server::TlsError) -> String {
    format!(
        "[tls] {} and {}: {error}",
        files.certificate_file, files.key_file
    )
}
