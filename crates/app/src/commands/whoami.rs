//! `hunkwise whoami`

use review::output::printable_json;
use serde_json::json;
use store::names;

use super::login::TIMEOUT;
use super::{Context, block_on, print, token_for};
use crate::client::{self, Client, Me, Organization, PlainHttp};
use crate::credentials::{Credentials, Place};
use crate::outcome::{Error, Exit, Outcome};

/// The scope required to list organizations.
const READ: &str = "organizations:read";

/// Show the service, the user and where the token is stored
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise whoami --server https://hunkwise.example.com
  hunkwise whoami --json | jq -r '.organizations[].organizationId'

Exit status: 2 not signed in, 3 the service refuses the token or does not respond.")]
pub(crate) struct Args {
    /// Address of the service [default: the one last signed in to]
    #[arg(long, value_name = "URL")]
    server: Option<String>,

    #[command(flatten)]
    plain_http: PlainHttp,

    /// Print one JSON object; organizations are null if the token may not list them
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, context: &Context) -> Outcome {
    let url = match &args.server {
        Some(server) => Some(client::key(server)?),
        None => Credentials::of(&context.environment).last()?,
    };
    let url = url
        .ok_or_else(|| Error::usage("not signed in; sign in with `hunkwise login --server URL`"))?;
    let (token, place) = token_for(&url, &context.environment)?;
    let client = Client::new(&url, token, TIMEOUT, args.plain_http)?;
    let (me, organizations) = block_on(ask(&client)).map_err(|error| Error {
        exit: Exit::Failure,
        ..error
    })?;
    let organizations = organizations.as_deref();
    print(&if args.json {
        json(&url, &me, organizations, &place)
    } else {
        text(&url, &me, organizations, &place)
    })
}

/// Requests the user and, if the token allows it, their organizations.
async fn ask(client: &Client) -> Result<(Me, Option<Vec<Organization>>), Error> {
    let me = client.me().await?;
    let organizations = if me.scopes.iter().any(|scope| scope == READ) {
        Some(client.organizations().await?)
    } else {
        None
    };
    Ok((me, organizations))
}

fn json(url: &str, me: &Me, organizations: Option<&[Organization]>, place: &Place) -> String {
    let described = |it: &Organization| json!({ "organizationId": it.organization_id, "name": it.name, "role": it.role });
    let organizations = organizations.map(|all| all.iter().map(described).collect::<Vec<_>>());
    let place = match place {
        Place::Environment => "environment",
        Place::File(_) => "file",
    };
    let Me {
        user_id,
        display_name,
        scopes,
    } = me;
    let object = json!({
        "server": url,
        "userId": user_id,
        "displayName": display_name,
        "scopes": scopes,
        "organizations": organizations,
        "tokenPlace": place,
    });
    printable_json(object.to_string()) + "\n"
}

fn text(url: &str, me: &Me, organizations: Option<&[Organization]>, place: &Place) -> String {
    let described = |it: &Organization| {
        let [name, id, role] =
            [&it.name, &it.organization_id, &it.role].map(|text| names::plain(text));
        format!("{name} ({id}, {role})")
    };
    let organizations = match organizations {
        None => format!("not shown: the token lacks the scope {READ}"),
        Some([]) => "none".to_owned(),
        Some(some) => some
            .iter()
            .map(described)
            .collect::<Vec<_>>()
            .join("\n               "),
    };
    let (name, id) = (names::plain(&me.display_name), names::plain(&me.user_id));
    format!(
        "server         {url}\nuser           {name} ({id})\norganizations  {organizations}\ntoken          in {place}\n"
    )
}
