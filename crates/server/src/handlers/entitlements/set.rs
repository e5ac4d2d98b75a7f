//! PUT /v1/organizations/{organizationId}/members/{userId}/entitlements/diff-review

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use jiff::Timestamp;
use store::{Actor, EntitlementChange, EntitlementStatus, UnixMillis};

use super::{refused, visible};
use crate::State;
use crate::error::Problem;
use crate::extract::json::{self, Fields};
use crate::extract::{Call, Entitler, Input, OrganizationsWrite, no_parameters};
use crate::handlers::members::no_member;
use crate::product::DIFF_REVIEW;
use crate::refusals::problems;
use crate::wire::entitlement::{EntitlementBody, SetEntitlementBody};

/// More reviews than are possible in a month.
const MAX_REVIEWS: u64 = 1_000_000_000;

problems!(EVERY, V1, MEMBER, BODY; InsufficientRole, NotFound, Conflict);

/// Grant, suspend or change the entitlement to diff reviews
///
/// `active` grants a member who was never entitled, or whose entitlement is expired or revoked, a new entitlement
/// that starts now, and resumes a suspended one. `suspended` suspends an active one; if there is none, the result is
/// `CONFLICT`. Repeating the request changes nothing. Needs an operator, who need not be a member and for whom the
/// organization need not be active, or, if the settings allow it, the role `owner`.
#[utoipa::path(
    put,
    path = "/v1/organizations/{organizationId}/members/{userId}/entitlements/diff-review",
    operation_id = "setEntitlement",
    tag = "Entitlements",
    security(("bearer" = ["organizations:write"])),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("userId" = String, Path, description = "The member", example = "usr_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    request_body = SetEntitlementBody,
    responses((status = 200, description = "The entitlement", body = EntitlementBody), Problems)
)]
pub(crate) async fn set(
    Shared(state): Shared<State>,
    call: Call<Entitler<OrganizationsWrite>, SetEntitlementRequest>,
) -> Result<Json<EntitlementBody>, Problem> {
    let access = call.principal.0;
    let user = access.user.ok_or_else(no_member)?;
    let (actor, SetEntitlementRequest(change)) = (Actor::User(access.caller.user), call.input);
    let set =
        state
            .store()
            .change_entitlement(access.organization, user, change, actor, state.now());
    let entitlement = visible(&state, set.await.map_err(refused)?).await?;
    Ok(Json(EntitlementBody {
        request_id: call.context.request_id().to_owned(),
        entitlement,
    }))
}

/// A validated request.
pub(crate) struct SetEntitlementRequest(EntitlementChange);

impl Input for SetEntitlementRequest {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let now = state.now();
        let read = move |fields: Fields, _: &_| Self::of(fields, now);
        Ok(json::read(parts, body, state, no_parameters(parts), read)
            .await?
            .0)
    }
}

impl SetEntitlementRequest {
    /// Reads the properties.
    pub(crate) fn of(mut fields: Fields, now: UnixMillis) -> Result<Self, Problem> {
        let (status, expires_at) = (status(&mut fields), expiry(&mut fields, now));
        let limit = fields.nullable_number("monthlyReviewLimit", MAX_REVIEWS);
        let monthly_review_limit =
            limit.map(|limit| limit.and_then(|limit| i64::try_from(limit).ok()));
        let product = DIFF_REVIEW.to_owned();
        let change = status.map(|status| EntitlementChange {
            product,
            status,
            expires_at,
            monthly_review_limit,
        });
        fields.finish(change.map(Self))
    }
}

fn status(fields: &mut Fields) -> Option<EntitlementStatus> {
    use EntitlementStatus::{Active, Suspended};
    let given = fields.required_text("status")?;
    let status = given
        .parse()
        .ok()
        .filter(|status| matches!(status, Active | Suspended));
    if status.is_none() {
        fields.fault("status", "must be `active` or `suspended`; DELETE revokes");
    }
    status
}

/// The inner `None` is `null`: never.
fn expiry(fields: &mut Fields, now: UnixMillis) -> Option<Option<UnixMillis>> {
    let Some(given) = fields.nullable_text("expiresAt")? else {
        return Some(None);
    };
    let time = given
        .parse::<Timestamp>()
        .ok()
        .map(|time| UnixMillis(time.as_millisecond()));
    let time = time.filter(|time| *time > now);
    if time.is_none() {
        fields.fault(
            "expiresAt",
            "must be a time in the future (RFC 3339), such as `2030-01-01T00:00:00Z`, or null",
        );
    }
    time.map(Some)
}
