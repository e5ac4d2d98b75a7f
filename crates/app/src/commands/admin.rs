//! `hunkwise admin`: administration, directly on the database.

mod backup;
mod context;
mod entitlement;
mod invitation;
mod organization;
mod token;
mod user;
mod values;

use clap::Subcommand;
use review::output::printable_json;
use server::Clock;
use settings::{Overrides, Url};
use store::NewEntitlement;

use super::{Context, block_on, print};
use crate::database;
use crate::outcome::{Error, Exit, Outcome};
use context::{AdminContext, Answer};

/// Manage users, tokens, organizations, invitations and entitlements, directly on the database
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  hunkwise admin user create --name Ada --operator
  hunkwise admin token create --user usr_01k… --expires-in 90d
  hunkwise admin entitlement grant --organization org_01k… --user usr_01k… --monthly-reviews 500
  hunkwise admin backup --to /var/backups/hunkwise.db")]
pub(crate) struct Args {
    /// The database: sqlite://PATH or postgres://USER@HOST/DATABASE
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,

    /// Print one JSON object
    #[arg(long, global = true)]
    json: bool,

    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    #[command(flatten)]
    Resource(Resource),
    /// Copy a SQLite database to a new file, even while the service runs
    Backup(backup::Verb),
}

#[derive(Debug, Subcommand)]
enum Resource {
    /// People and machines that hold tokens
    #[command(subcommand)]
    User(user::Verb),
    /// Access tokens
    #[command(subcommand)]
    Token(token::Verb),
    /// Tenants and their members
    #[command(subcommand)]
    Organization(organization::Verb),
    /// Invitation codes
    #[command(subcommand)]
    Invitation(invitation::Verb),
    /// Permissions to review diffs
    #[command(subcommand)]
    Entitlement(entitlement::Verb),
}

pub(crate) fn run(args: Args, context: &Context) -> Outcome {
    let Args {
        database,
        json,
        task,
    } = args;
    let settings = context
        .loaded(&Overrides::default().set("database", "--database", database))?
        .settings;
    let (database, grant) = (
        &settings.service.database,
        settings.entitlements.grant_on_create.for_creator(),
    );
    let answer = block_on(async {
        match task {
            Task::Backup(verb) => backup::act(database, verb).await.map(Some),
            Task::Resource(resource) => on_database(database, resource, grant, json).await,
        }
    })?;
    match answer {
        Some(answer) => print(&if json {
            printable_json(answer.json.to_string()) + "\n"
        } else {
            answer.text
        }),
        None => Ok(Exit::Success),
    }
}

async fn on_database(
    database: &Url,
    resource: Resource,
    grant: Option<NewEntitlement>,
    json: bool,
) -> Result<Option<Answer>, Error> {
    let store = database::open_existing(database).await?;
    let context = AdminContext {
        store: store.clone(),
        now: Clock::system().now(),
        grant,
        json,
    };
    let answer = act(&context, resource).await;
    store.close().await;
    answer
}

/// Runs the verb. `None` if it has printed its result already.
async fn act(context: &AdminContext, resource: Resource) -> Result<Option<Answer>, Error> {
    match resource {
        Resource::User(verb) => user::act(context, verb).await,
        Resource::Token(verb) => token::act(context, verb).await,
        Resource::Invitation(verb) => invitation::act(context, verb).await.map(Some),
        Resource::Organization(verb) => organization::act(context, verb).await,
        Resource::Entitlement(verb) => entitlement::act(context, verb).await.map(Some),
    }
}
