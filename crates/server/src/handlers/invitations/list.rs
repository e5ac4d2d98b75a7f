//! GET /v1/organizations/{organizationId}/invitations

use axum::Json;
use axum::extract::State as Shared;
use store::InvitationId;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Manager, OrganizationsRead, Page};
use crate::openapi::problems;
use crate::wire::invitation::InvitationListBody;

problems!(EVERY, V1, MEMBER; InsufficientRole);

/// List the open invitations
///
/// Without their codes. Needs the scope `organizations:read` and the role `admin` or `owner`.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/invitations",
    operation_id = "listInvitations",
    tag = "Invitations",
    params(
        ("organizationId" = String, Path, description = "The organization"),
        ("limit" = Option<u32>, Query, description = "Items on a page, 50 by default", minimum = 1, maximum = 100),
        ("cursor" = Option<String>, Query, description = "The `nextCursor` of the page before"),
    ),
    responses((status = 200, description = "A page of invitations", body = InvitationListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsRead>, Page<InvitationId>>,
) -> Result<Json<InvitationListBody>, Problem> {
    let (organization, page) = (call.principal.0.membership.organization.id, &call.input);
    let mut invitations = state.store().list_invitations(organization, page.after, page.limit + 1, state.now()).await?;
    let next_cursor = page.cut(&mut invitations, |invitation| invitation.id);
    Ok(Json(InvitationListBody {
        request_id: call.context.request_id().to_owned(),
        invitations: invitations.iter().map(visible).collect(),
        next_cursor,
    }))
}
