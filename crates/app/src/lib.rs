//! `hunkwise`: the command line and the wiring of the other crates into one binary.
//!
//! [`run`] parses the command line and converts the command's outcome to an exit status. A command accesses its
//! environment (variables, terminal, configuration file) only through `commands::Context`.
//!
//! This is a library because a binary crate cannot be compiled before all of its dependencies are finished.

mod analysis;
mod baseline;
mod cli;
mod client;
mod commands;
mod credentials;
mod database;
mod engines;
mod logging;
mod models;
mod out;
mod outcome;
mod output_file;
mod project;
mod provider_calls;
mod secret_input;
mod sign_in;
mod telemetry;
mod version;

use std::process::ExitCode;

/// Runs the command in the arguments of the process.
#[must_use]
pub fn run() -> ExitCode {
    cli::run().into()
}
