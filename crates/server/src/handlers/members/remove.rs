//! DELETE /v1/organizations/{organizationId}/members/{userId}

use axum::extract::State as Shared;
use axum::http::StatusCode;
use store::UserId;

use super::{done, no_member};
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Member, Named, OrganizationsWrite};
use crate::refusals::problems;

problems!(EVERY, V1, MEMBER; InsufficientRole, NotFound, LastOwner);

/// Remove a member, or leave
///
/// The member's entitlements in the organization end, and so do the invitations that the member created. Removing
/// another member requires the role `admin` or, for an owner, `owner`. Any member may leave, except the last owner.
#[utoipa::path(
    delete,
    path = "/v1/organizations/{organizationId}/members/{userId}",
    operation_id = "removeMember",
    tag = "Members",
    security(("bearer" = ["organizations:write"])),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("userId" = String, Path, description = "The member", example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    responses((status = 204, description = "The user is no longer a member"), Problems)
)]
pub(crate) async fn remove(
    Shared(state): Shared<State>,
    call: Call<Member<OrganizationsWrite>, Named<UserId>>,
) -> Result<StatusCode, Problem> {
    let organization = call.principal.membership.organization.id;
    let user = call.input.0.ok_or_else(no_member)?;
    done(
        state
            .store()
            .remove_member(organization, call.principal.caller.user, user, state.now())
            .await?,
    )?;
    Ok(StatusCode::NO_CONTENT)
}
