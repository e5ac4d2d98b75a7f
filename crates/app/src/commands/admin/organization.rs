//! `hunkwise admin organization …`

use clap::Subcommand;
use serde_json::{Value, json};
use store::{Actor, MemberChange, Organization, OrganizationId, Role, Status, UserId, names};

use super::context::{AdminContext, Answer, PAGE};
use super::values::{parse_name, rfc3339, word};
use crate::database::explain;
use crate::outcome::Error;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Create an organization and its owner
    #[command(
        after_help = "Example: hunkwise admin organization create --name Acme --owner usr_01k…

The owner gets an entitlement according to the setting `entitlements.grant_on_create`."
    )]
    Create {
        /// Display name; need not be unique
        #[arg(long, value_parser = parse_name)]
        name: String,
        /// The first owner
        #[arg(long, value_name = "ID")]
        owner: UserId,
    },
    /// List all organizations in every state, newest last
    #[command(after_help = "Example: hunkwise admin organization list --json")]
    List,
    /// Close an organization for its members, until it is activated again
    #[command(after_help = "Example: hunkwise admin organization suspend org_01k…")]
    Suspend(Which),
    /// Open a suspended organization again
    #[command(after_help = "Example: hunkwise admin organization activate org_01k…")]
    Activate(Which),
    /// Close an organization permanently
    #[command(after_help = "Example: hunkwise admin organization archive org_01k…")]
    Archive(Which),
    /// Change the role of a member
    #[command(
        after_help = "Example: hunkwise admin organization set-role org_01k… --user usr_01k… --role owner"
    )]
    SetRole(MemberRole),
    /// Make a user a member
    #[command(
        after_help = "Example: hunkwise admin organization add-member org_01k… --user usr_01k… --role admin"
    )]
    AddMember(MemberRole),
}

#[derive(Debug, clap::Args)]
pub(super) struct MemberRole {
    #[command(flatten)]
    organization: Which,
    /// User ID
    #[arg(long, value_name = "ID")]
    user: UserId,
    /// Role
    #[arg(long, value_parser = word(Role::ALL, Role::as_str))]
    role: Role,
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
            let page = async |after| {
                context
                    .store
                    .list_all_organizations(None, after, PAGE)
                    .await
            };
            return context
                .list("organizations", page, |it| it.id, line, object)
                .await
                .map(|()| None);
        }
        Verb::Create { name, owner } => create(context, &name, owner).await,
        Verb::Suspend(Which { id }) => set_status(context, id, Status::Suspended).await,
        Verb::Activate(Which { id }) => set_status(context, id, Status::Active).await,
        Verb::Archive(Which { id }) => set_status(context, id, Status::Archived).await,
        Verb::AddMember(member) => add_member(context, member).await,
        Verb::SetRole(member) => set_role(context, member).await,
    };
    answer.map(Some)
}

async fn create(context: &AdminContext, name: &str, owner: UserId) -> Result<Answer, Error> {
    let made = context
        .store
        .insert_organization_for(owner, name, context.grant.as_ref(), context.now)
        .await;
    let organization = made.map_err(explain)?;
    Ok(Answer {
        text: format!("{}\n", organization.id),
        json: object(&organization),
    })
}

async fn set_status(
    context: &AdminContext,
    id: OrganizationId,
    status: Status,
) -> Result<Answer, Error> {
    let moved = context
        .store
        .set_organization_status(id, status, Actor::CommandLine, context.now)
        .await;
    let organization = moved.map_err(explain)?;
    Ok(Answer {
        text: line(&organization),
        json: object(&organization),
    })
}

async fn add_member(context: &AdminContext, member: MemberRole) -> Result<Answer, Error> {
    let MemberRole {
        organization: Which { id },
        user,
        role,
    } = member;
    context
        .store
        .add_member(id, user, role, context.now)
        .await
        .map_err(explain)?;
    Ok(membership(id, user, role))
}

async fn set_role(context: &AdminContext, member: MemberRole) -> Result<Answer, Error> {
    let MemberRole {
        organization: Which { id },
        user,
        role,
    } = member;
    match context
        .store
        .assign_member_role(id, user, role, context.now)
        .await
        .map_err(explain)?
    {
        MemberChange::Done(member) => Ok(membership(id, user, member.role)),
        MemberChange::LastOwner => Err(Error::usage(format!(
            "{user} is the last active owner of {id}: make another member its owner first"
        ))),
        MemberChange::NoMember | MemberChange::NotAllowed => Err(Error::usage(format!(
            "{user} is not a member of {id}; add them with `hunkwise admin organization add-member`"
        ))),
    }
}

fn membership(id: OrganizationId, user: UserId, role: Role) -> Answer {
    Answer {
        text: format!("{user} is {role} of {id}\n"),
        json: json!({ "organizationId": id.to_string(), "userId": user.to_string(), "role": role.as_str() }),
    }
}

fn line(it: &Organization) -> String {
    format!(
        "{}  {}  {:9}  {}\n",
        it.id,
        rfc3339(it.created_at),
        it.status,
        names::plain(&it.name)
    )
}

fn object(it: &Organization) -> Value {
    json!({
        "organizationId": it.id.to_string(),
        "name": it.name,
        "status": it.status.as_str(),
        "createdAt": rfc3339(it.created_at),
    })
}
