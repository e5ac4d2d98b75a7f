//! Access to the organization in the path.

use std::str::FromStr;

use axum::RequestPartsExt;
use axum::extract::RawPathParams;
use axum::http::request::Parts;
use store::{Membership, OrganizationId, Role};

use super::Principal;
use super::caller::{Caller, RequiredScope, bound_elsewhere};
use crate::State;
use crate::context::Context;
use crate::error::{Code, Problem};

/// The path parameter with the organization.
const PARAMETER: &str = "organizationId";

/// A member of the active organization in the path, with a token that has the scope `N`.
pub(crate) struct Member<N> {
    pub(crate) caller: Caller<N>,
    /// The organization, and the member's role in it.
    pub(crate) membership: Membership,
}

impl<N: RequiredScope> Principal for Member<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let caller = Caller::admit(parts, context, state).await?;
        let asked = parameter(parts, PARAMETER).await;
        Self::of(caller, asked, context, state).await
    }
}

impl<N> Member<N> {
    /// The caller as a member of this organization; `None` is one that does not exist.
    pub(crate) async fn of(
        caller: Caller<N>,
        asked: Option<OrganizationId>,
        context: &Context,
        state: &State,
    ) -> Result<Self, Problem> {
        let id = within_bounds(&caller, asked, state)?;
        let membership = state
            .store()
            .find_membership(caller.user, id)
            .await?
            .ok_or_else(not_found)?;
        context.set_organization(id);
        Ok(Self { caller, membership })
    }
}

/// A member who may change the organization: an admin or an owner.
pub(crate) struct Manager<N>(pub(crate) Member<N>);

impl<N: RequiredScope> Principal for Manager<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let member = Member::admit(parts, context, state).await?;
        match member.membership.role {
            Role::Owner | Role::Admin => Ok(Self(member)),
            Role::Member => Err(Problem::new(
                Code::InsufficientRole,
                "The operation needs the role `admin` or `owner`.",
            )),
        }
    }
}

/// A member who may archive the organization and see its audit events: an owner.
pub(crate) struct Owner<N>(pub(crate) Member<N>);

impl<N: RequiredScope> Principal for Owner<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let member = Member::admit(parts, context, state).await?;
        match member.membership.role {
            Role::Owner => Ok(Self(member)),
            Role::Admin | Role::Member => Err(Problem::new(
                Code::InsufficientRole,
                "The operation needs the role `owner`.",
            )),
        }
    }
}

/// The error for a caller who is not a member of the organization, whether it exists or not.
pub(crate) fn not_found() -> Problem {
    Problem::new(
        Code::OrganizationNotFound,
        "There is no such organization, or the caller has no access to it.",
    )
}

/// The organization in the path, unless the token is bound to another one.
pub(super) async fn asked<N>(
    caller: &Caller<N>,
    parts: &mut Parts,
    state: &State,
) -> Result<OrganizationId, Problem> {
    within_bounds(caller, parameter(parts, PARAMETER).await, state)
}

fn within_bounds<N>(
    caller: &Caller<N>,
    asked: Option<OrganizationId>,
    state: &State,
) -> Result<OrganizationId, Problem> {
    if caller.bound_to.is_some() && caller.bound_to != asked {
        return Err(bound_elsewhere());
    }
    // A malformed ID costs the same query as a well-formed one, with an ID that does not exist, so timing reveals
    // nothing.
    Ok(asked.unwrap_or_else(|| OrganizationId::new(state.now())))
}

/// The ID in a path parameter, if it is well-formed.
pub(super) async fn parameter<I: FromStr>(parts: &mut Parts, name: &str) -> Option<I> {
    let parameters = parts.extract::<RawPathParams>().await.ok()?;
    parameters
        .iter()
        .find(|(given, _)| *given == name)?
        .1
        .parse()
        .ok()
}
