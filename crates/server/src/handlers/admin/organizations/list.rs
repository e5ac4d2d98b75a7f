//! GET /v1/admin/organizations

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::Status;

use super::{STATUSES, visible};
use crate::State;
use crate::error::Problem;
use crate::extract::query::Parameters;
use crate::extract::{Call, Input, Operator, OrganizationsRead, Page, page::PageParameters};
use crate::refusals::problems;
use crate::wire::admin::OrganizationListBody;

problems!(EVERY, V1; NotFound);

/// List all organizations
///
/// In any state.
#[utoipa::path(
    get,
    path = "/v1/admin/organizations",
    operation_id = "adminListOrganizations",
    tag = "Operators",
    security(("bearer" = ["organizations:read"])),
    extensions(("x-roles" = json!(["operator"]))),
    params(
        ("status" = Option<String>, Query, description = "Only those that are `active`, `suspended` or `archived`"),
        PageParameters,
    ),
    responses((status = 200, description = "A page of organizations", body = OrganizationListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Operator<OrganizationsRead>, ListOrganizationsRequest>,
) -> Result<Json<OrganizationListBody>, Problem> {
    let ListOrganizationsRequest { status, page } = &call.input;
    let mut organizations = state
        .store()
        .list_all_organizations(*status, page.after, page.limit + 1)
        .await?;
    let next_cursor = page.cut(&mut organizations, |organization| organization.id);
    Ok(Json(OrganizationListBody {
        request_id: call.context.request_id().to_owned(),
        organizations: organizations.into_iter().map(visible).collect(),
        next_cursor,
    }))
}

/// The requested part of the list.
pub(crate) struct ListOrganizationsRequest {
    status: Option<Status>,
    page: Page,
}

impl Input for ListOrganizationsRequest {
    async fn read(parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        let mut parameters = Parameters::of(parts);
        let status = parameters.take("status", |text| text.parse().map_err(|_| STATUSES.into()));
        let page = Page::take(&mut parameters);
        parameters.finish()?;
        Ok(Self { status, page })
    }
}
