//! `hunkwise admin organization …`

use clap::Subcommand;
use serde_json::{Value, json};
use store::{Actor, Organization, OrganizationId, Role, Status, UserId, names};

use super::context::{AdminContext, Answer, PAGE};
use super::values::{rfc3339, word};
use crate::database::explain;
use crate::outcome::Error;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// List every organization in whatever state, the newest last
    #[command(after_help = "Example: hunkwise admin organization list --json")]
    List,
    /// Close an organization for its members, until it is activated again
    #[command(after_help = "Example: hunkwise admin organization suspend org_01k…")]
    Suspend(Which),
    /// Open a suspended organization again
    #[command(after_help = "Example: hunkwise admin organization activate org_01k…")]
    Activate(Which),
    /// Close an organization for good
    #[command(after_help = "Example: hunkwise admin organization archive org_01k…")]
    Archive(Which),
    /// Make a user a member
    #[command(after_help = "Example: hunkwise admin organization add-member org_01k… --user usr_01k… --role admin")]
    AddMember {
        #[command(flatten)]
        organization: Which,
        /// Who
        #[arg(long, value_name = "ID")]
        user: UserId,
        /// As what
        #[arg(long, value_parser = word(Role::ALL, Role::as_str))]
        role: Role,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// The organization
    #[arg(value_name = "ID")]
    id: OrganizationId,
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Option<Answer>, Error> {
    let answer = match verb {
        Verb::List => {
            let page = async |after| context.store.list_all_organizations(None, after, PAGE).await;
            return context.list("organizations", page, |it| it.id, line, object).await.map(|()| None);
        }
        Verb::Suspend(Which { id }) => set_status(context, id, Status::Suspended).await,
        Verb::Activate(Which { id }) => set_status(context, id, Status::Active).await,
        Verb::Archive(Which { id }) => set_status(context, id, Status::Archived).await,
        Verb::AddMember { organization: Which { id }, user, role } => add_member(context, id, user, role).await,
    };
    answer.map(Some)
}

async fn set_status(context: &AdminContext, id: OrganizationId, status: Status) -> Result<Answer, Error> {
    let moved = context.store.set_organization_status(id, status, Actor::CommandLine, context.now).await;
    let organization = moved.map_err(explain)?;
    Ok(Answer { text: line(&organization), json: object(&organization) })
}

async fn add_member(context: &AdminContext, id: OrganizationId, user: UserId, role: Role) -> Result<Answer, Error> {
    context.store.add_member(id, user, role, context.now).await.map_err(explain)?;
    Ok(Answer {
        text: format!("{user} is {role} of {id}\n"),
        json: json!({ "organizationId": id.to_string(), "userId": user.to_string(), "role": role.as_str() }),
    })
}

fn line(it: &Organization) -> String {
    format!("{}  {}  {:9}  {}\n", it.id, rfc3339(it.created_at), it.status, names::plain(&it.name))
}

fn object(it: &Organization) -> Value {
    json!({
        "organizationId": it.id.to_string(),
        "name": it.name,
        "status": it.status.as_str(),
        "createdAt": rfc3339(it.created_at),
    })
}
