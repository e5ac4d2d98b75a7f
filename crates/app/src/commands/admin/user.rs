//! `hunkwise admin user …`

use clap::Subcommand;
use serde_json::{Value, json};
use store::{Deletion, Organization, User, UserId, UserStatus, names};

use super::context::{AdminContext, Answer, PAGE};
use super::values::{parse_name, rfc3339};
use crate::database::explain;
use crate::out::note;
use crate::outcome::Error;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Add a user
    #[command(after_help = "Example: hunkwise admin user create --name Ada --operator")]
    Create {
        /// Display name; need not be unique
        #[arg(long, value_parser = parse_name)]
        name: String,
        /// Let the user use the operators' part of the API
        #[arg(long)]
        operator: bool,
    },
    /// Disable a user: their tokens, browser sessions and sign-in are refused
    #[command(after_help = "Example: hunkwise admin user disable usr_01k…

This ends the user's browser sessions and open invitations. Everything else is kept for `hunkwise admin user enable`.")]
    Disable(Which),
    /// Enable a disabled user
    #[command(after_help = "Example: hunkwise admin user enable usr_01k…")]
    Enable(Which),
    /// Delete a user permanently, with their tokens, memberships and entitlements
    #[command(after_help = "Example: hunkwise admin user delete usr_01k…

The ID remains in audit events and review counts. A subject of the issuer can never become a user again: if the person may
return, disable them instead.")]
    Delete(Which),
    /// List all users, newest last
    #[command(after_help = "Example: hunkwise admin user list --json")]
    List,
}

#[derive(Debug, clap::Args)]
pub(super) struct Which {
    /// The user
    #[arg(value_name = "ID")]
    id: UserId,
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Option<Answer>, Error> {
    match verb {
        Verb::Create { name, operator } => {
            let user = context
                .store
                .insert_user(&name, operator, context.now)
                .await
                .map_err(explain)?;
            let id = user.id.to_string();
            Ok(Some(Answer {
                text: format!("{id}\n"),
                json: json!({ "userId": id }),
            }))
        }
        Verb::Disable(Which { id }) => disable(context, id).await.map(Some),
        Verb::Enable(Which { id }) => {
            let user = context
                .store
                .enable_user(id, context.now)
                .await
                .map_err(explain)?;
            Ok(Some(Answer {
                text: line(&user),
                json: object(&user),
            }))
        }
        Verb::Delete(Which { id }) => delete(context, id).await.map(Some),
        Verb::List => {
            let page = async |after| context.store.list_users(after, PAGE).await;
            context
                .list("users", page, |user| user.id, line, object)
                .await
                .map(|()| None)
        }
    }
}

async fn disable(context: &AdminContext, id: UserId) -> Result<Answer, Error> {
    let (user, ownerless) = context
        .store
        .disable_user(id, context.now)
        .await
        .map_err(explain)?;
    for organization in ownerless {
        note(&format!(
            "warning: {} has no active owner now; {}",
            place(&organization),
            remedy(&organization)
        ));
    }
    Ok(Answer {
        text: line(&user),
        json: object(&user),
    })
}

async fn delete(context: &AdminContext, id: UserId) -> Result<Answer, Error> {
    match context
        .store
        .delete_user(id, context.now)
        .await
        .map_err(explain)?
    {
        Deletion::Done => Ok(Answer {
            text: format!("{id} is deleted\n"),
            json: json!({ "userId": id.to_string(), "status": UserStatus::Deleted.as_str() }),
        }),
        Deletion::LastOwner(organizations) => {
            let which = |it| format!("\n  {}: {}", place(it), remedy(it));
            let which: String = organizations.iter().map(which).collect();
            Err(Error::usage(format!(
                "nothing is deleted, because {id} is the last active owner of{which}"
            )))
        }
    }
}

fn place(organization: &Organization) -> String {
    format!("{} ({})", organization.id, names::plain(&organization.name))
}

/// The advice for an organization without another active owner.
fn remedy(organization: &Organization) -> String {
    let id = organization.id;
    format!(
        "appoint another with `hunkwise admin organization set-role {id} --user ID --role owner` (`add-member` for one who is \
         not a member), or close it with `hunkwise admin organization archive {id}`"
    )
}

fn line(user: &User) -> String {
    let operator = if user.operator { "operator" } else { "-" };
    let (created, name) = (rfc3339(user.created_at), names::plain(&user.name));
    format!(
        "{}  {created}  {:8}  {operator:8}  {name}\n",
        user.id, user.status
    )
}

fn object(user: &User) -> Value {
    json!({
        "userId": user.id.to_string(),
        "displayName": user.name,
        "operator": user.operator,
        "status": user.status.as_str(),
        "createdAt": rfc3339(user.created_at),
    })
}
