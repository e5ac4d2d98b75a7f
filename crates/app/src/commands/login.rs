//! `hunkwise login`

use std::time::Duration;

use settings::Secret;
use store::names;

use super::{Context, block_on, print};
use crate::client::{self, Client, PlainHttp};
use crate::credentials::Credentials;
use crate::outcome::Outcome;
use crate::{out, secret_input};

/// A healthy service responds in milliseconds.
pub(super) const TIMEOUT: Duration = Duration::from_secs(20);

/// Sign in to a service with an access token, for `review --server`
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise login --server https://hunkwise.example.com           prompts for the token without showing it
  hunkwise login --server https://hunkwise.example.com < token   reads it from a file

The token is checked with the service and stored in a file that only you can read. Create access tokens in the console of
the service, under Tokens.")]
pub(crate) struct Args {
    /// Address of the service
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    server: String,

    #[command(flatten)]
    plain_http: PlainHttp,
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    let url = client::key(&args.server)?;
    args.plain_http.check(&url)?;
    let token = secret_input::read(&format!("Access token for {url}: "))?;
    let client = Client::new(
        &url,
        Secret::new(token.expose().to_owned()),
        TIMEOUT,
        args.plain_http,
    )?;
    let me = block_on(client.me())?;
    let place = Credentials::of(&context.environment).keep(&url, &token)?;
    if context
        .environment
        .token()
        .is_ok_and(|token| token.is_some())
    {
        out::note(
            "note: HUNKWISE_TOKEN or HUNKWISE_TOKEN_FILE is set and overrides the token just stored",
        );
    }
    let (name, id) = (names::plain(&me.display_name), names::plain(&me.user_id));
    print(&format!(
        "signed in to {url} as {name} ({id}); the token is in {place}\n"
    ))
}
