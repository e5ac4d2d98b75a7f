//! POST /v1/invitations/accept

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::{Acceptance, InvitationCode};

use crate::State;
use crate::error::{Code, Problem};
use crate::extract::caller::UnscopedToken;
use crate::extract::json::{self, Fields};
use crate::extract::{Call, Input, OrganizationsWrite, no_parameters};
use crate::handlers::organizations::visible;
use crate::refusals::problems;
use crate::wire::invitation::AcceptInvitationBody;
use crate::wire::organization::OrganizationBody;

problems!(EVERY, V1, BODY; NotFound, Conflict);

/// Accept an invitation
///
/// The caller becomes a member, and the code is used up. For a code that is unknown, used, revoked or expired, or
/// whose organization is not active, the result is `NOT_FOUND`, without telling which. A caller who is already a
/// member gets `CONFLICT`, and the code remains valid for someone else. If the response is lost, the list of the
/// caller's organizations shows whether it worked. The caller's token must not be bound to one organization.
#[utoipa::path(
    post,
    path = "/v1/invitations/accept",
    operation_id = "acceptInvitation",
    tag = "Invitations",
    security(("bearer" = ["organizations:write"])),
    request_body = AcceptInvitationBody,
    responses((status = 200, description = "The organization, with the role in it", body = OrganizationBody), Problems)
)]
pub(crate) async fn accept(
    Shared(state): Shared<State>,
    call: Call<UnscopedToken<OrganizationsWrite>, AcceptInvitationRequest>,
) -> Result<Json<OrganizationBody>, Problem> {
    let grant = state.settings().grant_on_create.for_member();
    let acceptance = match call.input.0 {
        Some(code) => {
            state
                .store()
                .accept_invitation(
                    &code.digest(),
                    call.principal.0.user,
                    grant.as_ref(),
                    state.now(),
                )
                .await?
        }
        None => Acceptance::NoInvitation,
    };
    match acceptance {
        Acceptance::Joined(membership) => {
            call.context.set_organization(membership.organization.id);
            let request_id = call.context.request_id().to_owned();
            Ok(Json(OrganizationBody {
                request_id,
                organization: visible(membership),
            }))
        }
        Acceptance::NoInvitation => Err(no_invitation()),
        Acceptance::MemberAlready => Err(Problem::new(
            Code::Conflict,
            "The caller is already a member of the organization.",
        )),
    }
}

/// The error for a code without an open invitation.
pub(crate) fn no_invitation() -> Problem {
    Problem::new(
        Code::NotFound,
        "There is no such invitation, or it is no longer open.",
    )
}

/// A validated request: the code, or `None` for a malformed one.
pub(crate) struct AcceptInvitationRequest(Option<InvitationCode>);

impl Input for AcceptInvitationRequest {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        Ok(
            json::read(parts, body, state, no_parameters(parts), |fields, _| {
                Self::of(fields)
            })
            .await?
            .0,
        )
    }
}

impl AcceptInvitationRequest {
    /// Reads the properties.
    pub(crate) fn of(mut fields: Fields) -> Result<Self, Problem> {
        let code = fields.required_text("code");
        fields.finish(code.map(|text| Self(InvitationCode::parse(&text))))
    }
}
