//! Access to a member's entitlements.

use axum::http::request::Parts;
use store::{Membership, OrganizationId, Role, UserId};

use super::Principal;
use super::caller::{Caller, RequiredScope};
use super::organization::{Member, asked, not_found, parameter};
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::{ManagedBy, State};

/// A caller who accesses a user's entitlements in an organization: a member while the organization is active, or an
/// operator as long as it exists.
pub(crate) struct EntitlementAccess<N> {
    pub(crate) caller: Caller<N>,
    pub(crate) organization: OrganizationId,
    /// The organization's name.
    pub(crate) organization_name: String,
    /// The user with the entitlements; `None` for a malformed ID, which belongs to no user.
    pub(crate) user: Option<UserId>,
    /// The caller's role; `None` for an operator who is not a member.
    pub(crate) role: Option<Role>,
}

impl<N: RequiredScope> EntitlementAccess<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let caller = Caller::admit(parts, context, state).await?;
        let organization = asked(&caller, parts, state).await?;
        let (found, role) = if caller.operator {
            let found = state
                .store()
                .find_organization(organization)
                .await?
                .ok_or_else(not_found)?;
            (
                found,
                state
                    .store()
                    .find_membership(caller.user, organization)
                    .await?
                    .map(|membership| membership.role),
            )
        } else {
            let membership = state
                .store()
                .find_membership(caller.user, organization)
                .await?
                .ok_or_else(not_found)?;
            (membership.organization, Some(membership.role))
        };
        context.set_organization(organization);
        let user = parameter(parts, "userId").await;
        Ok(Self {
            caller,
            organization,
            organization_name: found.name,
            user,
            role,
        })
    }
}

impl<N> EntitlementAccess<N> {
    /// Whether the caller may change entitlements.
    pub(crate) fn may_change(&self, managed_by: ManagedBy) -> bool {
        self.caller.operator || (self.role == Some(Role::Owner) && managed_by == ManagedBy::Owners)
    }
}

/// A caller who may see a user's entitlements: the user, an admin or owner of the organization, or an operator.
pub(crate) struct EntitlementReader<N>(pub(crate) EntitlementAccess<N>);

impl<N: RequiredScope> Principal for EntitlementReader<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let access = EntitlementAccess::admit(parts, context, state).await?;
        if !access.caller.operator
            && access.role == Some(Role::Member)
            && access.user != Some(access.caller.user)
        {
            let detail = "A `member` sees their own entitlements; those of others need the role `admin` or `owner`.";
            return Err(Problem::new(Code::InsufficientRole, detail));
        }
        Ok(Self(access))
    }
}

impl<N> From<Member<N>> for EntitlementReader<N> {
    /// Members may see their own entitlements.
    fn from(Member { caller, membership }: Member<N>) -> Self {
        let Membership { organization, role } = membership;
        let user = Some(caller.user);
        Self(EntitlementAccess {
            caller,
            organization: organization.id,
            organization_name: organization.name,
            user,
            role: Some(role),
        })
    }
}

/// A caller who may change a user's entitlements: an operator or, if the settings allow it, an owner of the
/// organization.
pub(crate) struct Entitler<N>(pub(crate) EntitlementAccess<N>);

impl<N: RequiredScope> Principal for Entitler<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let access = EntitlementAccess::admit(parts, context, state).await?;
        let managed_by = state.settings().managed_by;
        if access.may_change(managed_by) {
            return Ok(Self(access));
        }
        let detail = match managed_by {
            ManagedBy::Owners => {
                "Only an `owner` of the organization, or an operator, may change entitlements."
            }
            ManagedBy::Operators => {
                "Only an operator may change entitlements. Ask the one who runs this service, who can also let owners do it: \
                 the setting `entitlements.managed_by`."
            }
        };
        Err(Problem::new(Code::InsufficientRole, detail))
    }
}
