//! PATCH /v1/organizations/{organizationId}/members/{userId}

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::{Role, UserId};

use super::{done, given_role, no_member, visible};
use crate::State;
use crate::error::Problem;
use crate::extract::json::{self, Fields};
use crate::extract::{Call, Input, Manager, OrganizationsWrite, named, no_parameters};
use crate::refusals::problems;
use crate::wire::member::{ChangeMemberBody, MemberBody};

problems!(EVERY, V1, MEMBER, BODY; InsufficientRole, NotFound, Conflict, LastOwner);

/// Change a member's role
///
/// Invitations that the member created and could not create in the new role end. Appointing or changing an owner
/// requires the role `owner`.
#[utoipa::path(
    patch,
    path = "/v1/organizations/{organizationId}/members/{userId}",
    operation_id = "changeMember",
    tag = "Members",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("userId" = String, Path, description = "The member", example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    request_body = ChangeMemberBody,
    responses((status = 200, description = "The member", body = MemberBody), Problems)
)]
pub(crate) async fn change(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Change>,
) -> Result<Json<MemberBody>, Problem> {
    let member = &call.principal.0;
    let (organization, actor) = (member.membership.organization.id, member.caller.user);
    let user = call.input.user.ok_or_else(no_member)?;
    let change = state
        .store()
        .set_member_role(organization, actor, user, call.input.role, state.now())
        .await?;
    let changed = done(change)?;
    Ok(Json(MemberBody {
        request_id: call.context.request_id().to_owned(),
        member: visible(changed),
    }))
}

/// A validated request.
pub(crate) struct Change {
    /// `None` for a malformed ID, which belongs to no user.
    user: Option<UserId>,
    role: Role,
}

impl Input for Change {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let user = named(parts);
        let read = move |fields: Fields, _: &_| Self::of(fields, user);
        Ok(json::read(parts, body, state, no_parameters(parts), read)
            .await?
            .0)
    }
}

impl Change {
    /// Reads the properties.
    pub(crate) fn of(mut fields: Fields, user: Option<UserId>) -> Result<Self, Problem> {
        let role = given_role(&mut fields);
        Ok(Self {
            user,
            role: fields.finish(role)?,
        })
    }
}
