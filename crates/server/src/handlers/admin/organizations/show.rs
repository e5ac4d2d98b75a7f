//! GET /v1/admin/organizations/{organizationId}

use axum::Json;
use axum::extract::State as Shared;
use store::OrganizationId;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::organization::not_found;
use crate::extract::{Call, Named, Operator, OrganizationsRead};
use crate::refusals::problems;
use crate::wire::admin::OrganizationBody;

problems!(EVERY, V1; NotFound, OrganizationNotFound);

/// Show any organization
///
/// In any state.
#[utoipa::path(
    get,
    path = "/v1/admin/organizations/{organizationId}",
    operation_id = "adminGetOrganization",
    tag = "Operators",
    security(("bearer" = ["organizations:read"])),
    extensions(("x-roles" = json!(["operator"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses((status = 200, description = "The organization", body = OrganizationBody), Problems)
)]
pub(crate) async fn show(
    Shared(state): Shared<State>,
    call: Call<Operator<OrganizationsRead>, Named<OrganizationId>>,
) -> Result<Json<OrganizationBody>, Problem> {
    let id = call.input.0.ok_or_else(not_found)?;
    let organization = visible(
        state
            .store()
            .find_organization(id)
            .await?
            .ok_or_else(not_found)?,
    );
    Ok(Json(OrganizationBody {
        request_id: call.context.request_id().to_owned(),
        organization,
    }))
}
