//! DELETE /v1/organizations/{organizationId}/members/{userId}/entitlements/diff-review

use axum::extract::State as Shared;
use axum::http::StatusCode;
use store::{Actor, EntitlementStatus};

use super::refused;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Entitler, Nothing, OrganizationsWrite};
use crate::handlers::members::no_member;
use crate::product::DIFF_REVIEW;
use crate::refusals::problems;

problems!(EVERY, V1, MEMBER; InsufficientRole, NotFound, Conflict);

/// Revoke the entitlement to diff reviews
///
/// Only a new grant (PUT) restores it. Revoking an expired or revoked one is `CONFLICT`. Needs an operator or, where
/// the operator's settings say so, the role `owner`.
#[utoipa::path(
    delete,
    path = "/v1/organizations/{organizationId}/members/{userId}/entitlements/diff-review",
    operation_id = "revokeEntitlement",
    tag = "Entitlements",
    security(("bearer" = ["organizations:write"])),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("userId" = String, Path, description = "The member", example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    responses((status = 204, description = "The entitlement is revoked"), Problems)
)]
pub(crate) async fn revoke(
    Shared(state): Shared<State>,
    call: Call<Entitler<OrganizationsWrite>, Nothing>,
) -> Result<StatusCode, Problem> {
    let access = call.principal.0;
    let user = access.user.ok_or_else(no_member)?;
    let (actor, status) = (Actor::User(access.caller.user), EntitlementStatus::Revoked);
    let revoke = state.store().set_entitlement_status(
        access.organization,
        user,
        DIFF_REVIEW,
        status,
        actor,
        state.now(),
    );
    revoke.await.map_err(refused)?;
    Ok(StatusCode::NO_CONTENT)
}
