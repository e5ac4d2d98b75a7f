//! GET /v1/organizations/{organizationId}/review-guidelines

use axum::Json;
use axum::extract::State as Shared;

use super::body;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Member, Nothing, OrganizationsRead};
use crate::refusals::problems;
use crate::wire::review_guidelines::ReviewGuidelinesBody;

problems!(EVERY, V1, MEMBER);

/// Show the review guidelines
///
/// Background for reviewers about the organization's code.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/review-guidelines",
    operation_id = "getReviewGuidelines",
    tag = "Reviews",
    security(("bearer" = ["organizations:read"])),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses((status = 200, description = "The guidelines", body = ReviewGuidelinesBody), Problems)
)]
pub(crate) async fn show(
    Shared(state): Shared<State>,
    call: Call<Member<OrganizationsRead>, Nothing>,
) -> Result<Json<ReviewGuidelinesBody>, Problem> {
    let found = state
        .store()
        .find_review_guidelines(call.principal.membership.organization.id)
        .await?;
    Ok(Json(body(&call.context, found)))
}
