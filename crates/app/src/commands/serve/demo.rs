//! `hunkwise serve --demo`: a demo for new users.
//!
//! Runs a complete service in a temporary folder and has it review a sample diff through its HTTP API.

use std::net::SocketAddr;
use std::time::Duration;

use review::Diff;
use review::output::pretty::View;
use review::output::{Gate, Subject, pretty};
use server::Clock;
use settings::{Overrides, Secret, Settings};
use store::{NewEntitlement, NewToken, OrganizationId, Scope, SignInCode, TokenSecret};
use tokio::net::TcpListener;

use super::args::Args;
use super::service::{Listeners, Service, listen, listen_for_metrics};
use super::signals::Signals;
use crate::client::{Client, Request};
use crate::commands::{Context, block_on, print};
use crate::database::explain;
use crate::outcome::{Error, Exit, Outcome};
use crate::{logging, out};

/// A change in several languages with defects that the rules find.
const SAMPLE: &str = include_str!("../../demo/sample.diff");

/// The diff of the printed curl command: one file, short enough for a command line.
const SMALL_SAMPLE: &str = "--- a/cart.py\n+++ b/cart.py\n@@ -1,3 +1,3 @@\n-def add(item, cart):\n+def add(item, cart=[]):\n     cart.append(item)\n     return cart\n";

/// Extra time for the review of the sample beyond its analysis.
const OVERHEAD: Duration = Duration::from_secs(60);

/// The credentials and IDs for using the demo.
struct Access {
    organization: OrganizationId,
    token: TokenSecret,
    /// Signs in a browser, once.
    sign_in: SignInCode,
}

pub(super) fn run(args: &Args, context: &Context) -> Outcome {
    let folder = tempfile::Builder::new().prefix("hunkwise-demo-").tempdir();
    let folder = folder
        .map_err(|error| Error::failure(format!("cannot create a temporary folder: {error}")))?;
    let settings = settings(args, context, folder.path())?;
    // The output should consist of findings, so only warnings of the service are logged.
    let _log = logging::start(tracing::Level::WARN, tracing::Level::WARN, None)?;
    let outcome = block_on(serve(args, settings));
    let removed = folder.close();
    let exit = outcome?;
    removed.map_err(|error| Error::failure(format!("cannot remove the demo's folder: {error}")))?;
    Ok(exit)
}

fn settings(args: &Args, context: &Context, folder: &std::path::Path) -> Result<Settings, Error> {
    let database = folder.join("demo.db");
    let database = database
        .to_str()
        .ok_or_else(|| Error::failure("the temporary folder's name is not UTF-8"))?;
    let flags: Overrides =
        args.overrides()
            .set("database", "--demo", Some(format!("sqlite://{database}")));
    // Another service on this machine may use the metrics address, and a demo is not scraped.
    let flags = if args.metrics_bind.is_none() {
        flags.set("metrics_bind", "--demo", Some("off".to_owned()))
    } else {
        flags
    };
    let mut settings = context.loaded(&flags)?.settings;
    // The demo calls itself on this machine over plain HTTP, and no load balancer is in front of it.
    settings.tls = None;
    settings.service.shutdown_delay_seconds = 0;
    Ok(settings)
}

async fn serve(args: &Args, settings: Settings) -> Outcome {
    let signals = Signals::listen()?;
    let listener = listen_somewhere(settings.service.bind, args.bind.is_none()).await?;
    let metrics = listen_for_metrics(settings.service.metrics_bind).await?;
    let address = listener.local_addr().map_err(Error::failure)?;
    // The rules take milliseconds, but a configured model may be slow.
    let time_limit = Duration::from_secs(settings.limits.analysis_seconds).saturating_add(OVERHEAD);
    let service = Service::open(settings, Some(SAMPLE)).await?;
    let access = populate(&service).await?;
    let listeners = Listeners {
        api: listener,
        metrics,
    };
    let served = tokio::spawn(service.run(listeners, signals.clone()));
    let shown = show(args, address, &access, time_limit).await;
    if args.exit || shown.is_err() {
        signals.ask_to_stop();
    }
    let ended = served.await.map_err(Error::failure)?;
    shown.and(ended)
}

/// Listens on `address`, or on another port if it is taken and `free` allows it.
async fn listen_somewhere(address: SocketAddr, free: bool) -> Result<TcpListener, Error> {
    match listen(address).await {
        Err(_) if free => {
            let listener = listen(SocketAddr::new(address.ip(), 0)).await?;
            let taken = listener.local_addr().map_err(Error::failure)?;
            out::note(&format!("{address} is in use; the demo listens on {taken}"));
            Ok(listener)
        }
        listener => listener,
    }
}

/// Creates the user, the organization, its entitlement, the token and the console link.
async fn populate(service: &Service) -> Result<Access, Error> {
    let store = &service.store;
    let now = Clock::system().now();
    let user = store
        .insert_user("Demo", false, now)
        .await
        .map_err(explain)?
        .id;
    let grant = NewEntitlement {
        product: "diff-review".to_owned(),
        expires_at: None,
        monthly_review_limit: None,
    };
    let organization = store
        .insert_organization("Demo", user, Some(&grant), now)
        .await
        .map_err(explain)?
        .id;
    let new = NewToken {
        user,
        name: "demo".to_owned(),
        scopes: Scope::ALL.to_vec(),
        organization: None,
        expires_at: None,
    };
    let (made, token) = store.insert_token(new, now).await.map_err(explain)?;
    Ok(Access {
        organization,
        token,
        sign_in: service.state.offer_sign_in(made.id),
    })
}

/// Requests the review of the sample and prints the findings, then the next steps unless the demo ends here.
async fn show(args: &Args, address: SocketAddr, access: &Access, time_limit: Duration) -> Outcome {
    let base = format!("http://{address}");
    let token = Secret::new(access.token.expose().to_owned());
    let client = Client::on_this_machine(("http", address), token, time_limit)?;
    let request = Request {
        diff: SAMPLE,
        ..Request::default()
    };
    let review = client
        .review(&access.organization.to_string(), &request, None)
        .await?;
    if review.findings.is_empty() {
        return Err(Error::failure(
            "the review of the sample diff found nothing: this build is broken",
        ));
    }
    let diff = Diff::parse(SAMPLE).map_err(Error::failure)?;
    let subject = Subject {
        body: &review,
        diff: &diff,
        gate: Gate::OPEN,
        rules: &|_| None,
        mask: syntax::semantics::secrets::shown_code,
    };
    print(&pretty::render(
        &subject,
        View {
            colour: true,
            verbose: false,
        },
    ))?;
    if !args.exit {
        print(&next_steps(&base, access)?)?;
    }
    Ok(Exit::Success)
}

fn next_steps(base: &str, access: &Access) -> Result<String, Error> {
    let Access {
        organization,
        token,
        sign_in,
    } = access;
    let (token, sign_in) = (token.expose(), sign_in.expose());
    let body = serde_json::to_string(&Request {
        diff: SMALL_SAMPLE,
        ..Request::default()
    })
    .map_err(Error::failure)?;
    let bold = anstyle::Style::new().bold();
    Ok(format!(
        "
{bold}This was a real review over HTTP by the service running here.{bold:#}

{bold}Open the console{bold:#} (signs in once, within 10 minutes, on this machine):

  {base}/sign-in/link/{sign_in}?sample

  base URL      {base}
  API           {base}/docs
  organization  {organization}
  token         {token}

{bold}Review another diff:{bold:#}

curl -sS {base}/v1/organizations/{organization}/reviews/diff/sync \\
  -H 'Authorization: Bearer {token}' \\
  -H 'Content-Type: application/json' \\
  -d '{body}'

Ctrl-C stops the demo and deletes its database.
"
    ))
}
