//! Members of an organization.

pub(crate) mod change;
pub(crate) mod list;
pub(crate) mod remove;

use store::{MemberChange, OrganizationId, UserId};

use super::organizations::role;
use super::written;
use crate::State;
use crate::error::{Code, Problem};
use crate::extract::json::Fields;
use crate::wire::member::Member;

/// A member as seen by other members.
fn visible(member: store::Member) -> Member {
    Member {
        user_id: member.user_id.to_string(),
        display_name: member.user_name,
        role: role(member.role),
        joined_at: written(member.created_at),
    }
}

/// A member of the organization.
pub(crate) async fn find(
    state: &State,
    organization: OrganizationId,
    user: UserId,
) -> Result<Member, Problem> {
    let found = state.store().find_member(organization, user).await?;
    found.map(visible).ok_or_else(no_member)
}

/// The changed or removed member, or the problem.
fn done(change: MemberChange) -> Result<store::Member, Problem> {
    match change {
        MemberChange::Done(member) => Ok(member),
        MemberChange::NoMember => Err(no_member()),
        MemberChange::NotAllowed => Err(Problem::new(
            Code::InsufficientRole,
            "Only an `owner` may add, change or remove an owner; an `admin` or `owner` may do so for other members; any member may leave.",
        )),
        MemberChange::LastOwner => Err(Problem::new(
            Code::LastOwner,
            "The user is the organization's last owner; add another owner first.",
        )),
    }
}

/// Takes the property `role`. `None` if it has a fault.
pub(super) fn given_role(fields: &mut Fields) -> Option<store::Role> {
    let given = fields.required_text("role")?;
    let role = given.parse().ok();
    if role.is_none() {
        fields.fault("role", "must be `owner`, `admin` or `member`");
    }
    role
}

pub(crate) fn no_member() -> Problem {
    Problem::new(Code::NotFound, "The organization has no such member.")
}
