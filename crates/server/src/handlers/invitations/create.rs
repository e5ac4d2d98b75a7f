//! POST /v1/organizations/{organizationId}/invitations

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::request::Parts;
use jiff::Timestamp;
use store::{INVITATION_LIFE, Invited, MAX_INVITATION_LIFE, Role, UnixMillis};

use super::{not_allowed, visible};
use crate::State;
use crate::error::Problem;
use crate::extract::json::{self, Fields};
use crate::extract::{Call, Input, Manager, OrganizationsWrite, no_parameters_and_no_key};
use crate::handlers::members::given_role;
use crate::refusals::problems;
use crate::wire::invitation::{CreateInvitationBody, NewInvitationBody};

problems!(EVERY, V1, MEMBER, BODY; InsufficientRole, Conflict);

/// Create an invitation
///
/// The first user who accepts with the code becomes a member. The code is only in this response, so an
/// `Idempotency-Key` is refused: if the response is lost, list the invitations and revoke the new one. The invitation
/// ends when it is accepted, revoked or expired, when its creator may no longer create such an invitation, and when
/// the token that it was created with is revoked. Beyond the limit `invitationsPerOrganization`, the result is
/// `CONFLICT`. Inviting an owner requires the role `owner`.
#[utoipa::path(
    post,
    path = "/v1/organizations/{organizationId}/invitations",
    operation_id = "createInvitation",
    tag = "Invitations",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    request_body = CreateInvitationBody,
    responses((status = 201, description = "The invitation, with its code", body = NewInvitationBody), Problems)
)]
pub(crate) async fn create(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, CreateInvitationRequest>,
) -> Result<(StatusCode, Json<NewInvitationBody>), Problem> {
    let member = &call.principal.0;
    let (organization, actor) = (member.membership.organization.id, member.caller.user);
    let (CreateInvitationRequest { role, expires_at }, store, now) =
        (call.input, state.store(), state.now());
    let invited = match member.caller.own_token() {
        Some(token) => {
            store
                .insert_invitation_by(token, organization, actor, role, expires_at, now)
                .await?
        }
        None => {
            store
                .insert_invitation(organization, actor, role, expires_at, now)
                .await?
        }
    };
    let (invitation, code) = match invited {
        Invited::Done(invitation, code) => (visible(&invitation), code.expose().to_owned()),
        Invited::NotAllowed => return Err(not_allowed()),
    };
    let request_id = call.context.request_id().to_owned();
    Ok((
        StatusCode::CREATED,
        Json(NewInvitationBody {
            request_id,
            invitation,
            code,
        }),
    ))
}

/// A validated request.
pub(crate) struct CreateInvitationRequest {
    role: Role,
    expires_at: UnixMillis,
}

impl Input for CreateInvitationRequest {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let now = state.now();
        let read = move |fields: Fields, _: &_| Self::of(fields, now);
        Ok(
            json::read(parts, body, state, no_parameters_and_no_key(parts), read)
                .await?
                .0,
        )
    }
}

impl CreateInvitationRequest {
    /// Reads the properties.
    pub(crate) fn of(mut fields: Fields, now: UnixMillis) -> Result<Self, Problem> {
        let (role, expires_at) = (given_role(&mut fields), expiry(&mut fields, now));
        fields.finish(role.map(|role| Self { role, expires_at }))
    }
}

/// The expiry of the invitation.
fn expiry(fields: &mut Fields, now: UnixMillis) -> UnixMillis {
    let usual = now + INVITATION_LIFE;
    let Some(given) = fields.optional_text("expiresAt") else {
        return usual;
    };
    let time = given
        .parse::<Timestamp>()
        .ok()
        .map(|time| UnixMillis(time.as_millisecond()));
    let time = time.filter(|time| *time > now && *time <= now + MAX_INVITATION_LIFE);
    if time.is_none() {
        let days = MAX_INVITATION_LIFE.as_secs() / (24 * 60 * 60);
        let detail = format!(
            "must be a time in the future and at most {days} days from now (RFC 3339), such as `2030-01-01T00:00:00Z`"
        );
        fields.fault("expiresAt", detail);
    }
    time.unwrap_or(usual)
}
