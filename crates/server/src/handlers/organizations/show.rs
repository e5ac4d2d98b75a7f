//! GET /v1/organizations/{organizationId}

use axum::Json;

use super::visible;
use crate::extract::{Call, Member, Nothing, OrganizationsRead};
use crate::refusals::problems;
use crate::wire::organization::OrganizationBody;

problems!(EVERY, V1, MEMBER);

/// Show an organization
///
/// Its name, and the caller's role in it.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}",
    operation_id = "getOrganization",
    tag = "Organizations",
    security(("bearer" = ["organizations:read"])),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses((status = 200, description = "The organization", body = OrganizationBody), Problems)
)]
pub(crate) async fn show(call: Call<Member<OrganizationsRead>, Nothing>) -> Json<OrganizationBody> {
    let organization = visible(call.principal.membership);
    Json(OrganizationBody {
        request_id: call.context.request_id().to_owned(),
        organization,
    })
}
