//! GET /v1/organizations/{organizationId}/members

use axum::Json;
use axum::extract::State as Shared;
use store::UserId;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Member, OrganizationsRead, Page, page::PageParameters};
use crate::refusals::problems;
use crate::wire::member::MemberListBody;

problems!(EVERY, V1, MEMBER);

/// List the members
///
/// Every member may list the members.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/members",
    operation_id = "listMembers",
    tag = "Members",
    security(("bearer" = ["organizations:read"])),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        PageParameters,
    ),
    responses((status = 200, description = "A page of members", body = MemberListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Member<OrganizationsRead>, Page<UserId>>,
) -> Result<Json<MemberListBody>, Problem> {
    let (organization, page) = (call.principal.membership.organization.id, &call.input);
    let mut members = state
        .store()
        .list_members(organization, page.after, page.limit + 1)
        .await?;
    let next_cursor = page.cut(&mut members, |member| member.user_id);
    Ok(Json(MemberListBody {
        request_id: call.context.request_id().to_owned(),
        members: members.into_iter().map(visible).collect(),
        next_cursor,
    }))
}
