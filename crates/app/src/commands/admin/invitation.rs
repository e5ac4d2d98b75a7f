//! `hunkwise admin invitation …`

use clap::Subcommand;
use jiff::Span;
use serde_json::json;
use store::{
    INVITATION_LIFE, Invitation, Invited, MAX_INVITATION_LIFE, OrganizationId, Role, UnixMillis,
    UserId,
};

use super::context::{AdminContext, Answer};
use super::values::{end_of, parse_life, rfc3339, word};
use crate::database::explain;
use crate::outcome::Error;

#[derive(Debug, Subcommand)]
pub(super) enum Verb {
    /// Make an invitation; its code is printed once and not stored
    #[command(after_help = "Example:
  hunkwise admin invitation create --organization org_01k… --role member --by usr_01k… --expires-in 14d

The user who accepts the code becomes a member: in the console at /invitations/CODE, or with POST /v1/invitations/accept.")]
    Create {
        /// Organization ID
        #[arg(long, value_name = "ID")]
        organization: OrganizationId,
        /// The role of the new member
        #[arg(long, value_parser = word(Role::ALL, Role::as_str))]
        role: Role,
        /// The inviting member: the invitation ends when they may no longer issue it
        #[arg(long, value_name = "ID")]
        by: UserId,
        /// How long it is valid, such as 14d; at most 30 days [default: 7d]
        #[arg(long, value_name = "DURATION", value_parser = parse_life)]
        expires_in: Option<Span>,
    },
}

pub(super) async fn act(context: &AdminContext, verb: Verb) -> Result<Answer, Error> {
    let Verb::Create {
        organization,
        role,
        by,
        expires_in,
    } = verb;
    let expires_at = expiry(expires_in, context.now)?;
    let invited = context
        .store
        .insert_invitation_for(organization, by, role, expires_at, context.now)
        .await;
    match invited.map_err(explain)? {
        Invited::Done(invitation, code) => Ok(answer(organization, &invitation, code.expose())),
        Invited::NotAllowed => Err(Error::usage(format!(
            "--by {by}: not a member of {organization} who may invite someone as {role}, or the organization is not active"
        ))),
    }
}

fn expiry(life: Option<Span>, now: UnixMillis) -> Result<UnixMillis, Error> {
    match end_of(life, now)? {
        None => Ok(now + INVITATION_LIFE),
        Some(end) if end <= now + MAX_INVITATION_LIFE => Ok(end),
        Some(_) => Err(Error::usage(
            "--expires-in: an invitation is valid for at most 30 days",
        )),
    }
}

fn answer(organization: OrganizationId, it: &Invitation, code: &str) -> Answer {
    Answer {
        text: format!("{}  {code}\n", it.id),
        json: json!({
            "organizationId": organization.to_string(),
            "invitationId": it.id.to_string(),
            "role": it.role.as_str(),
            "createdBy": it.created_by.to_string(),
            "createdAt": rfc3339(it.created_at),
            "expiresAt": rfc3339(it.expires_at),
            "code": code,
        }),
    }
}
