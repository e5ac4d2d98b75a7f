//! PATCH /v1/organizations/{organizationId}

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::{Actor, Membership};

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::organization::not_found;
use crate::extract::{Call, Input, Manager, OrganizationsWrite, json, name, no_parameters};
use crate::refusals::problems;
use crate::wire::organization::{OrganizationBody, RenameOrganizationBody};

problems!(EVERY, V1, MEMBER, BODY; InsufficientRole);

/// Rename an organization
#[utoipa::path(
    patch,
    path = "/v1/organizations/{organizationId}",
    operation_id = "renameOrganization",
    tag = "Organizations",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    request_body = RenameOrganizationBody,
    responses((status = 200, description = "The organization", body = OrganizationBody), Problems)
)]
pub(crate) async fn rename(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Name>,
) -> Result<Json<OrganizationBody>, Problem> {
    let Membership { organization, role } = &call.principal.0.membership;
    let actor = Actor::User(call.principal.0.caller.user);
    let renamed = state
        .store()
        .rename_organization(organization.id, actor, &call.input.0, state.now())
        .await?;
    let membership = Membership {
        organization: renamed.ok_or_else(not_found)?,
        role: *role,
    };
    Ok(Json(OrganizationBody {
        request_id: call.context.request_id().to_owned(),
        organization: visible(membership),
    }))
}

/// A validated name.
pub(crate) struct Name(String);

impl Input for Name {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let (name, _) = json::read(parts, body, state, no_parameters(parts), |mut fields, _| {
            let name = name::take(&mut fields);
            fields.finish(name).map(Self)
        })
        .await?;
        Ok(name)
    }
}
