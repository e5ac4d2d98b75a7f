//! POST /v1/organizations

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode, header};
use axum::response::AppendHeaders;
use sha2::{Digest, Sha256};
use store::{IdempotencyKey, Membership, Once, Organization, Role};

use super::visible;
use crate::State;
use crate::error::{Code, FieldError, Problem};
use crate::extract::caller::{Caller, UnscopedToken};
use crate::extract::json::{self, Fields};
use crate::extract::{Call, IDEMPOTENCY_KEY, Input, OrganizationsWrite, name};
use crate::refusals::problems;
use crate::wire::organization::{CreateOrganizationBody, OrganizationBody};

const IDEMPOTENCY_KEY_CHARACTERS: usize = 255;

problems!(EVERY, V1, BODY; Conflict, IdempotencyConflict);

/// Create an organization
///
/// The caller becomes its owner. With an `Idempotency-Key`, a request repeated within 24 hours gets the first
/// response. If the caller already owns `organizationsPerUser` organizations, not counting archived ones, the result
/// is `CONFLICT`. The caller's token must not be bound to one organization.
#[utoipa::path(
    post,
    path = "/v1/organizations",
    operation_id = "createOrganization",
    tag = "Organizations",
    security(("bearer" = ["organizations:write"])),
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 255 visible ASCII characters, chosen by the caller", pattern = "^[!-~]{1,255}$")),
    request_body = CreateOrganizationBody,
    responses(
        (
            status = 201, description = "The organization", body = OrganizationBody,
            headers(("Location" = String, description = "The path of the organization"))
        ),
        Problems
    )
)]
pub(crate) async fn create(
    Shared(state): Shared<State>,
    call: Call<UnscopedToken<OrganizationsWrite>, NewOrganization>,
) -> Result<
    (
        StatusCode,
        AppendHeaders<[(HeaderName, String); 1]>,
        Json<OrganizationBody>,
    ),
    Problem,
> {
    let organization = visible(Membership {
        organization: insert(&state, &call.principal.0, call.input).await?,
        role: Role::Owner,
    });
    let location = format!("/v1/organizations/{}", organization.organization_id);
    let body = OrganizationBody {
        request_id: call.context.request_id().to_owned(),
        organization,
    };
    Ok((
        StatusCode::CREATED,
        AppendHeaders([(header::LOCATION, location)]),
        Json(body),
    ))
}

async fn insert(
    state: &State,
    caller: &Caller<OrganizationsWrite>,
    new: NewOrganization,
) -> Result<Organization, Problem> {
    let grant = state.settings().grant_on_create.for_creator();
    let Some(key) = new.idempotency_key else {
        return Ok(state
            .store()
            .insert_organization(&new.name, caller.user, grant.as_ref(), state.now())
            .await?);
    };
    let key = IdempotencyKey {
        user: caller.user,
        key,
        request_digest: Sha256::digest(&new.name).into(),
        made_by: caller.own_token(),
    };
    match state
        .store()
        .insert_organization_once(&key, &new.name, grant.as_ref(), state.now())
        .await?
    {
        Once::Created(organization) | Once::Replayed(organization) => Ok(organization),
        Once::Conflict => Err(Problem::new(
            Code::IdempotencyConflict,
            "The `Idempotency-Key` was used with another body.",
        )),
    }
}

/// A validated request.
pub(crate) struct NewOrganization {
    name: String,
    idempotency_key: Option<String>,
}

impl Input for NewOrganization {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let mut faults = crate::extract::no_parameters(parts);
        let idempotency_key = idempotency_key(parts).unwrap_or_else(|fault| {
            faults.push(fault);
            None
        });
        let read = |fields: Fields, _: &_| Self::of(fields, idempotency_key);
        Ok(json::read(parts, body, state, faults, read).await?.0)
    }
}

impl NewOrganization {
    /// Reads the properties.
    pub(crate) fn of(mut fields: Fields, idempotency_key: Option<String>) -> Result<Self, Problem> {
        let name = name::take(&mut fields);
        Ok(Self {
            name: fields.finish(name)?,
            idempotency_key,
        })
    }
}

fn idempotency_key(parts: &Parts) -> Result<Option<String>, FieldError> {
    let mut fields = parts.headers.get_all(IDEMPOTENCY_KEY).iter();
    let Some(field) = fields.next() else {
        return Ok(None);
    };
    let key = field.to_str().unwrap_or_default();
    let sound = (1..=IDEMPOTENCY_KEY_CHARACTERS).contains(&key.len())
        && key.bytes().all(|byte| byte.is_ascii_graphic());
    if !sound || fields.next().is_some() {
        let detail = format!(
            "must be given once, with 1 to {IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters"
        );
        return Err(FieldError::header("Idempotency-Key", detail));
    }
    Ok(Some(key.to_owned()))
}
