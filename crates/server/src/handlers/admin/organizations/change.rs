//! PATCH /v1/admin/organizations/{organizationId}

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::{Actor, OrganizationId, Status, StoreError};

use super::{STATUSES, visible};
use crate::State;
use crate::error::Problem;
use crate::extract::json::{self, Fields};
use crate::extract::organization::not_found;
use crate::extract::{Call, Input, Operator, OrganizationsWrite, named, no_parameters};
use crate::refusals::problems;
use crate::wire::admin::{ChangeOrganizationBody, OrganizationBody};

problems!(EVERY, V1, BODY; NotFound, OrganizationNotFound, Conflict);

/// Suspend, activate or archive an organization
///
/// active ⇄ suspended; either → archived, which is permanent. While it is not active, its members get
/// `ORGANIZATION_NOT_FOUND`. Any other transition is a `CONFLICT`.
#[utoipa::path(
    patch,
    path = "/v1/admin/organizations/{organizationId}",
    operation_id = "adminChangeOrganization",
    tag = "Operators",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["operator"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    request_body = ChangeOrganizationBody,
    responses((status = 200, description = "The organization", body = OrganizationBody), Problems)
)]
pub(crate) async fn change(
    Shared(state): Shared<State>,
    call: Call<Operator<OrganizationsWrite>, Change>,
) -> Result<Json<OrganizationBody>, Problem> {
    let id = call.input.organization.ok_or_else(not_found)?;
    let actor = Actor::User(call.principal.0.user);
    let changed = state
        .store()
        .set_organization_status(id, call.input.status, actor, state.now())
        .await;
    let changed = changed.map_err(refused)?;
    Ok(Json(OrganizationBody {
        request_id: call.context.request_id().to_owned(),
        organization: visible(changed),
    }))
}

fn refused(error: StoreError) -> Problem {
    match error {
        StoreError::NotFound(_) => not_found(),
        StoreError::Illegal { what, from, to } => Problem::illegal_step(what, from, to),
        error => error.into(),
    }
}

/// A validated request.
pub(crate) struct Change {
    /// `None` for a malformed ID, which belongs to no organization.
    organization: Option<OrganizationId>,
    status: Status,
}

impl Input for Change {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let organization = named(parts);
        let (change, _) = json::read(
            parts,
            body,
            state,
            no_parameters(parts),
            move |mut fields, _| {
                let status = status(&mut fields);
                Ok(Self {
                    organization,
                    status: fields.finish(status)?,
                })
            },
        )
        .await?;
        Ok(change)
    }
}

fn status(fields: &mut Fields) -> Option<Status> {
    let status = fields.required_text("status")?.parse().ok();
    if status.is_none() {
        fields.fault("status", STATUSES);
    }
    status
}
