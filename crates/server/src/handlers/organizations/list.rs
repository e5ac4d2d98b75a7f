//! GET /v1/organizations

use axum::Json;
use axum::extract::State as Shared;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Caller, OrganizationsRead, Page, page::PageParameters};
use crate::refusals::problems;
use crate::wire::organization::OrganizationListBody;

problems!(EVERY, V1);

/// List the caller's organizations
///
/// The active organizations of which the caller is a member. With a token that is bound to one organization, only
/// that one.
#[utoipa::path(
    get,
    path = "/v1/organizations",
    operation_id = "listOrganizations",
    tag = "Organizations",
    security(("bearer" = ["organizations:read"])),
    params(PageParameters),
    responses((status = 200, description = "A page of organizations", body = OrganizationListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Caller<OrganizationsRead>, Page>,
) -> Result<Json<OrganizationListBody>, Problem> {
    let (caller, page) = (&call.principal, &call.input);
    let mut memberships = match caller.bound_to {
        None => {
            state
                .store()
                .list_organizations(caller.user, page.after, page.limit + 1)
                .await?
        }
        Some(only) if page.after.is_none_or(|after| after < only) => state
            .store()
            .find_membership(caller.user, only)
            .await?
            .into_iter()
            .collect(),
        Some(_) => Vec::new(),
    };
    let next_cursor = page.cut(&mut memberships, |membership| membership.organization.id);
    Ok(Json(OrganizationListBody {
        request_id: call.context.request_id().to_owned(),
        organizations: memberships.into_iter().map(visible).collect(),
        next_cursor,
    }))
}
