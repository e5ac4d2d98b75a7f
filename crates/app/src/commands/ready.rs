//! `hunkwise ready`: for callers that can start a program but not send a request, such as a container's health check.

use std::time::Duration;

use super::{Context, block_on};
use crate::client::Client;
use crate::outcome::{Exit, Outcome};
use crate::settings::Secret;

/// A service that is well answers in milliseconds.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ask a service whether it can serve: status 0 if so, 3 if not
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: hunkwise ready --server https://hunkwise.example.com")]
pub(crate) struct Args {
    /// Where the service is
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,
}

pub(crate) fn run(args: &Args, _: &Context) -> Outcome {
    let client = Client::new(&args.server, Secret::new(String::new()), PATIENCE)?;
    block_on(client.ready())?;
    Ok(Exit::Success)
}
