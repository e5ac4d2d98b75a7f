//! `hunkwise`: the command line, the settings and the wiring of the other crates into one binary.
//!
//! `main` parses the command line and turns the command's outcome into an exit status. Everything that a command may
//! use from outside (environment, terminal, configuration file) reaches it through [`commands::Context`].

mod cli;
mod client;
mod commands;
mod database;
mod engines;
mod git;
mod logging;
mod models;
mod out;
mod project;
mod provider_calls;
mod settings;
mod sign_in;
mod telemetry;
mod worker_pool;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run().into()
}
