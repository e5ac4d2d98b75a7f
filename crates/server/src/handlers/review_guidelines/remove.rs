//! DELETE /v1/organizations/{organizationId}/review-guidelines

use axum::Json;
use axum::extract::State as Shared;

use super::body;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Manager, Nothing, OrganizationsWrite};
use crate::refusals::problems;
use crate::wire::review_guidelines::ReviewGuidelinesBody;

problems!(EVERY, V1, MEMBER; InsufficientRole);

/// Remove the review guidelines
///
/// Does nothing if none are set.
#[utoipa::path(
    delete,
    path = "/v1/organizations/{organizationId}/review-guidelines",
    operation_id = "removeReviewGuidelines",
    tag = "Reviews",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses((status = 200, description = "The guidelines are removed", body = ReviewGuidelinesBody), Problems)
)]
pub(crate) async fn remove(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Nothing>,
) -> Result<Json<ReviewGuidelinesBody>, Problem> {
    let member = &call.principal.0;
    let (organization, actor) = (member.membership.organization.id, member.caller.user);
    state
        .store()
        .delete_review_guidelines(organization, actor, state.now())
        .await?;
    Ok(Json(body(&call.context, None)))
}
