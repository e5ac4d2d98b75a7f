//! `hunkwise logout`

use super::{Context, print};
use crate::client;
use crate::credentials::Credentials;
use crate::outcome::{Error, Outcome};

/// Delete the stored access token for a service
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: hunkwise logout --server https://hunkwise.example.com

The token itself remains valid: revoke it in the console of the service, under Tokens."
)]
pub(crate) struct Args {
    /// Address of the service [default: the one last signed in to]
    #[arg(long, value_name = "URL")]
    server: Option<String>,
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    let credentials = Credentials::of(&context.environment);
    let url = match &args.server {
        Some(server) => Some(client::key(server)?),
        None => credentials.last()?,
    };
    let url = url.ok_or_else(|| Error::usage("not signed in to any service"))?;
    if !credentials.forget(&url)? {
        return Err(Error::usage(format!("not signed in to {url}")));
    }
    print(&format!(
        "signed out of {url}; the token itself is valid until it is revoked\n"
    ))
}
