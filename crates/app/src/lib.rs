//! `hunkwise`: the command line, the settings and the wiring of the other crates into one binary.
//!
//! [`run`] parses the command line and turns the command's outcome into an exit status. Everything that a command may
//! use from outside (environment, terminal, configuration file) reaches it through `commands::Context`.
//!
//! A library and not only a program, because a program cannot be compiled before all that it is linked with is done.

mod analysis;
mod baseline;
mod cli;
mod client;
mod commands;
mod credentials;
mod database;
mod engines;
mod git;
mod hosts;
mod logging;
mod loopback;
mod memory;
mod models;
mod out;
mod outcome;
mod output_file;
mod project;
mod provider_calls;
#[doc(hidden)]
pub mod sandbox;
mod secret_input;
mod settings;
mod sign_in;
mod telemetry;
mod version;
mod worker_pool;

use std::process::ExitCode;

/// What the program does: the command of the process's own arguments.
#[must_use]
pub fn run() -> ExitCode {
    cli::run().into()
}
