//! DELETE /v1/organizations/{organizationId}/invitations/{invitationId}

use axum::extract::State as Shared;
use axum::http::StatusCode;
use store::{InvitationEnd, InvitationId};

use super::not_allowed;
use crate::State;
use crate::error::{Code, Problem};
use crate::extract::{Call, Manager, Named, OrganizationsWrite};
use crate::refusals::problems;

problems!(EVERY, V1, MEMBER; InsufficientRole, NotFound);

/// Revoke an invitation
///
/// Its code becomes invalid. Revoking the invitation of an owner requires the role `owner`.
#[utoipa::path(
    delete,
    path = "/v1/organizations/{organizationId}/invitations/{invitationId}",
    operation_id = "revokeInvitation",
    tag = "Invitations",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("invitationId" = String, Path, description = "The invitation", example = "inv_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    responses((status = 204, description = "The invitation is revoked"), Problems)
)]
pub(crate) async fn revoke(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Named<InvitationId>>,
) -> Result<StatusCode, Problem> {
    let member = &call.principal.0;
    let (organization, actor) = (member.membership.organization.id, member.caller.user);
    let end = match call.input.0 {
        Some(invitation) => {
            state
                .store()
                .revoke_invitation(organization, actor, invitation, state.now())
                .await?
        }
        None => InvitationEnd::NoInvitation,
    };
    match end {
        InvitationEnd::Done => Ok(StatusCode::NO_CONTENT),
        InvitationEnd::NoInvitation => Err(Problem::new(
            Code::NotFound,
            "The organization has no such open invitation.",
        )),
        InvitationEnd::NotAllowed => Err(not_allowed()),
    }
}
