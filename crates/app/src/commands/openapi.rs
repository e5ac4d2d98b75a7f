//! `hunkwise openapi`: prints the OpenAPI document without a running service.

use super::{Context, print};
use crate::outcome::{Error, Outcome};

/// Print the OpenAPI 3.1 document of the HTTP API, with the limits in force
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: hunkwise openapi > openapi.json")]
pub(crate) struct Args {}

pub(crate) fn run(_args: Args, context: &Context) -> Outcome {
    let document = server::openapi(&context.settings()?.limits);
    let text = serde_json::to_string_pretty(&document).map_err(Error::failure)?;
    print(&format!("{text}\n"))
}
