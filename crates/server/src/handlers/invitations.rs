//! Invitations to an organization.

pub(crate) mod accept;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod revoke;

use super::organizations::role;
use super::written;
use crate::error::{Code, Problem};
use crate::wire::invitation::Invitation;

/// An invitation as seen by members who may invite.
fn visible(invitation: &store::Invitation) -> Invitation {
    Invitation {
        invitation_id: invitation.id.to_string(),
        role: role(invitation.role),
        created_by: invitation.created_by.to_string(),
        created_at: written(invitation.created_at),
        expires_at: written(invitation.expires_at),
    }
}

fn not_allowed() -> Problem {
    let detail = "Only an `owner` may invite an owner or revoke such an invitation; for other roles, an `admin` or `owner` may.";
    Problem::new(Code::InsufficientRole, detail)
}
