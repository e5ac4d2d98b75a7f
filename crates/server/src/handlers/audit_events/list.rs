//! GET /v1/organizations/{organizationId}/audit-events

use axum::Json;
use axum::extract::State as Shared;
use store::AuditEventId;

use super::visible;
use crate::State;
use crate::error::Problem;
use crate::extract::{Call, OrganizationsRead, Owner, Page, page::PageParameters};
use crate::refusals::problems;
use crate::wire::audit_event::AuditEventListBody;

problems!(EVERY, V1, MEMBER; InsufficientRole);

/// List the audit events
///
/// All changes to the organization, its members and their permissions since its creation.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/audit-events",
    operation_id = "listAuditEvents",
    tag = "Audit events",
    security(("bearer" = ["organizations:read"])),
    extensions(("x-roles" = json!(["owner"]))),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        PageParameters,
    ),
    responses((status = 200, description = "A page of audit events", body = AuditEventListBody), Problems)
)]
pub(crate) async fn list(
    Shared(state): Shared<State>,
    call: Call<Owner<OrganizationsRead>, Page<AuditEventId>>,
) -> Result<Json<AuditEventListBody>, Problem> {
    let (organization, page) = (call.principal.0.membership.organization.id, &call.input);
    let mut events = state
        .store()
        .list_audit_events(organization, page.after, page.limit + 1)
        .await?;
    let next_cursor = page.cut(&mut events, |event| event.id);
    Ok(Json(AuditEventListBody {
        request_id: call.context.request_id().to_owned(),
        audit_events: events.into_iter().map(visible).collect(),
        next_cursor,
    }))
}
