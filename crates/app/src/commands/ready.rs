//! `hunkwise ready`: a health check for callers that can start a program but not send a request, such as a container
//! runtime.

use std::time::Duration;

use settings::{Overrides, Secret};

use super::{Context, block_on};
use crate::client::{Client, PlainHttp};
use crate::outcome::{Error, Exit, Outcome};

/// A healthy service responds in milliseconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Check whether a service is ready: status 0 if so, 3 if not
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise ready                                        the service of this machine, with the settings of `hunkwise serve`
  hunkwise ready --server https://hunkwise.example.com

Without --server, the address and the use of TLS come from the settings of `hunkwise serve`: the environment and the
configuration file.")]
pub(crate) struct Args {
    /// Address of the service [default: from the settings]
    #[arg(long, value_name = "URL", conflicts_with = "bind")]
    server: Option<String>,

    /// Listen address of the service, as for `hunkwise serve` [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDRESS")]
    bind: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    let client = match &args.server {
        Some(server) => Client::new(server, no_token(), TIMEOUT, PlainHttp::WITHOUT_TOKEN)?,
        None => own(args, context)?,
    };
    block_on(client.ready())?;
    Ok(Exit::Success)
}

/// A client of the service that runs on this machine with these settings.
fn own(args: &Args, context: &Context) -> Result<Client, Error> {
    let flags = Overrides::default().set("bind", "--bind", args.bind.clone());
    let settings = context.loaded(&flags)?.settings;
    let bind = settings.service.bind;
    if bind.port() == 0 {
        return Err(Error::usage(format!(
            "bind is {bind}, where the system chooses the port: name it with --server"
        )));
    }
    let scheme = if settings.tls.is_some() {
        "https"
    } else {
        "http"
    };
    Client::on_this_machine((scheme, bind), no_token(), TIMEOUT)
}

fn no_token() -> Secret {
    Secret::new(String::new())
}
