//! DELETE /v1/organizations/{organizationId}

use axum::extract::State as Shared;
use axum::http::StatusCode;
use store::{Actor, Status, StoreError};

use crate::State;
use crate::error::Problem;
use crate::extract::organization::not_found;
use crate::extract::{Call, Nothing, OrganizationsWrite, Owner};
use crate::refusals::problems;

problems!(EVERY, V1, MEMBER; InsufficientRole);

/// Archive an organization
///
/// Permanent: no member has access any longer, whatever their role; tokens bound to it are refused, and its
/// invitations become invalid. Usage data is kept.
#[utoipa::path(
    delete,
    path = "/v1/organizations/{organizationId}",
    operation_id = "archiveOrganization",
    tag = "Organizations",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["owner"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses((status = 204, description = "The organization is archived"), Problems)
)]
pub(crate) async fn archive(
    Shared(state): Shared<State>,
    call: Call<Owner<OrganizationsWrite>, Nothing>,
) -> Result<StatusCode, Problem> {
    let member = &call.principal.0;
    let (organization, actor) = (
        member.membership.organization.id,
        Actor::User(member.caller.user),
    );
    match state
        .store()
        .set_organization_status(organization, Status::Archived, actor, state.now())
        .await
    {
        Ok(_) => Ok(StatusCode::NO_CONTENT),
        // Another request was faster.
        Err(StoreError::Illegal { .. }) => Err(not_found()),
        Err(error) => Err(error.into()),
    }
}
