//! The position of a page in the console: its organization, and its entry in the navigation.

use store::{Membership, Role};

use crate::web::shown::{Name, shown};

/// The organization of a page.
pub(super) struct Place {
    pub(super) id: String,
    name: String,
    /// The current entry of the navigation.
    pub(super) at: &'static str,
    /// Whether the links for admins and owners are shown; their pages check the role themselves.
    pub(super) manages: bool,
}

impl Place {
    /// A page for a member.
    pub(super) fn of(membership: &Membership, at: &'static str) -> Self {
        let (organization, role) = (&membership.organization, membership.role);
        Self::new(
            organization.id.to_string(),
            organization.name.clone(),
            Some(role),
            at,
        )
    }

    /// A page for a member of this role, or for an operator, who has none.
    pub(super) fn new(id: String, name: String, role: Option<Role>, at: &'static str) -> Self {
        Self {
            id,
            name,
            at,
            manages: matches!(role, Some(Role::Owner | Role::Admin)),
        }
    }

    pub(super) fn name(&self) -> Name<'_> {
        shown(&self.name)
    }
}
