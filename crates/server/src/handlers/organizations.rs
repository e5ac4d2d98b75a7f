//! Organizations.

pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod show;

use jiff::Timestamp;
use store::Membership;

use crate::wire::organization::{Organization, Role, Status};

/// An active organization as its member sees it.
fn visible(membership: Membership) -> Organization {
    Organization {
        organization_id: membership.organization.id.to_string(),
        name: membership.organization.name,
        role: role(membership.role),
        status: Status::Active,
        created_at: Timestamp::from_millisecond(membership.organization.created_at.0).unwrap_or_default().to_string(),
    }
}

/// A role as callers see it.
pub(super) fn role(role: store::Role) -> Role {
    match role {
        store::Role::Owner => Role::Owner,
        store::Role::Admin => Role::Admin,
        store::Role::Member => Role::Member,
    }
}
