//! The commands: one file each, with its arguments (`Args`) and `run(args, context) -> Outcome`.

pub(crate) mod admin;
pub(crate) mod baseline;
pub(crate) mod comment;
pub(crate) mod completions;
pub(crate) mod config;
mod file_uri;
pub(crate) mod install_hook;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod migrate;
pub(crate) mod openapi;
pub(crate) mod ready;
pub(crate) mod review;
pub(crate) mod rules;
pub(crate) mod serve;
mod values;
pub(crate) mod whoami;
pub(crate) mod worker;

use std::future::Future;
use std::path::PathBuf;

use settings::{Environment, Loaded, Overrides, Secret, Settings};
use tokio::runtime::Runtime;

use crate::credentials::{Credentials, Place};
use crate::outcome::{Error, Exit, Outcome};

/// The environment of a command.
#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) environment: Environment,
    /// `--config`, or the variable `HUNKWISE_CONFIG`.
    pub(crate) config: Option<PathBuf>,
}

impl Context {
    /// The settings in force. Commands without settings (`worker`, `rules`) do not load them, and so do not fail
    /// because of them.
    ///
    /// # Errors
    /// All faults in the settings, in one message.
    pub(crate) fn settings(&self) -> Result<Settings, Error> {
        Ok(self.loaded(&Overrides::default())?.settings)
    }

    /// The settings in force with the flags of this command, and their sources.
    ///
    /// # Errors
    /// All faults in the settings, in one message.
    pub(crate) fn loaded(&self, flags: &Overrides) -> Result<Loaded, Error> {
        for unknown in settings::unknown_variables(&self.environment) {
            crate::out::note(&format!("warning: {unknown}"));
        }
        let loaded = settings::load(flags, &self.environment, self.config.as_deref())
            .map_err(Error::usage)?;
        for warning in &loaded.warnings {
            crate::out::note(&format!("warning: {warning}"));
        }
        Ok(loaded)
    }
}

/// The access token for the service at this address, and its source: the environment, or `hunkwise login`.
///
/// # Errors
/// It cannot be read, or there is none.
pub(crate) fn token_for(url: &str, environment: &Environment) -> Result<(Secret, Place), Error> {
    if let Some(token) = environment.token().map_err(Error::usage)? {
        return Ok((token, Place::Environment));
    }
    Credentials::of(environment).find(url)?.ok_or_else(|| {
        Error::usage(format!(
            "not signed in to {url}: run `hunkwise login --server {url}`, or put an access token in HUNKWISE_TOKEN or in the \
             file that HUNKWISE_TOKEN_FILE names"
        ))
    })
}

/// Runs `work` on a new multi-threaded runtime.
///
/// # Errors
/// The error of `work`, or the runtime cannot be started.
pub(crate) fn block_on<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    with_runtime(|runtime| runtime.block_on(work))
}

/// Runs `work` with a new multi-threaded runtime.
///
/// # Errors
/// The error of `work`, or the runtime cannot be started.
pub(crate) fn with_runtime<T>(work: impl FnOnce(&Runtime) -> Result<T, Error>) -> Result<T, Error> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::failure(format!("cannot start the runtime: {error}")))?;
    let outcome = work(&runtime);
    // Threads that still block must not delay the end of the command.
    runtime.shutdown_background();
    outcome
}

/// Writes a result to stdout.
///
/// # Errors
/// Stdout cannot be written to.
pub(crate) fn print(text: &str) -> Outcome {
    crate::out::result(text)
        .map_err(|error| Error::failure(format!("cannot write to stdout: {error}")))?;
    Ok(Exit::Success)
}
