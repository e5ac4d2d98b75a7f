//! GET /v1/organizations/{organizationId}/members/{userId}/entitlements

use axum::Json;
use axum::extract::State as Shared;

use super::{refused, visible};
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, EntitlementReader, Nothing, OrganizationsRead};
use crate::handlers::members::no_member;
use crate::refusals::problems;
use crate::wire::entitlement::EntitlementListBody;

problems!(EVERY, V1, MEMBER; InsufficientRole, NotFound);

/// List a member's entitlements
///
/// In any status; the list is empty for a member who was never entitled. There is at most one entitlement per
/// product, so the list is not paginated. Members see their own entitlements, an `admin` or `owner` those of all
/// members, and an operator those of any member in an organization of any state.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/members/{userId}/entitlements",
    operation_id = "listEntitlements",
    tag = "Entitlements",
    security(("bearer" = ["organizations:read"])),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("userId" = String, Path, description = "The member", example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    responses((status = 200, description = "The entitlements", body = EntitlementListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<EntitlementReader<OrganizationsRead>, Nothing>,
) -> Result<Json<EntitlementListBody>, Problem> {
    let access = call.principal.0;
    let user = access.user.ok_or_else(no_member)?;
    let found = state
        .store()
        .list_entitlements(access.organization, user, state.now())
        .await
        .map_err(refused)?;
    let mut entitlements = Vec::with_capacity(found.len());
    for entitlement in found {
        entitlements.push(visible(&state, entitlement).await?);
    }
    Ok(Json(EntitlementListBody {
        request_id: call.context.request_id().to_owned(),
        entitlements,
    }))
}
