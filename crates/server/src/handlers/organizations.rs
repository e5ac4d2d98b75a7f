//! Organizations.

pub(crate) mod archive;
pub(crate) mod create;
pub(crate) mod list;
pub(crate) mod rename;
pub(crate) mod show;

use store::Membership;

use super::written;
use crate::wire::organization::{Organization, Role, Status};

/// An active organization as seen by a member.
pub(super) fn visible(membership: Membership) -> Organization {
    Organization {
        organization_id: membership.organization.id.to_string(),
        name: membership.organization.name,
        role: role(membership.role),
        status: Status::Active,
        created_at: written(membership.organization.created_at),
    }
}

/// A role in API responses.
pub(super) fn role(role: store::Role) -> Role {
    match role {
        store::Role::Owner => Role::Owner,
        store::Role::Admin => Role::Admin,
        store::Role::Member => Role::Member,
    }
}
