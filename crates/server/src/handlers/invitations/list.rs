//! GET /v1/organizations/{organizationId}/invitations

use axum::Json;
use axum::extract::State as Shared;
use store::InvitationId;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Manager, OrganizationsRead, Page, page::PageParameters};
use crate::refusals::problems;
use crate::wire::invitation::InvitationListBody;

problems!(EVERY, V1, MEMBER; InsufficientRole);

/// List the open invitations
///
/// Without their codes.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/invitations",
    operation_id = "listInvitations",
    tag = "Invitations",
    security(("bearer" = ["organizations:read"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        PageParameters,
    ),
    responses((status = 200, description = "A page of invitations", body = InvitationListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsRead>, Page<InvitationId>>,
) -> Result<Json<InvitationListBody>, Problem> {
    let (organization, page) = (call.principal.0.membership.organization.id, &call.input);
    let mut invitations = state
        .store()
        .list_invitations(organization, page.after, page.limit + 1, state.now())
        .await?;
    let next_cursor = page.cut(&mut invitations, |invitation| invitation.id);
    Ok(Json(InvitationListBody {
        request_id: call.context.request_id().to_owned(),
        invitations: invitations.iter().map(visible).collect(),
        next_cursor,
    }))
}
