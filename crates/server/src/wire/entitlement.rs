//! Entitlements of a member.

use serde::Serialize;
use utoipa::ToSchema;

/// A member's right to use a product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entitlement {
    /// The product that the member is entitled to.
    #[schema(example = "diff-review")]
    pub(crate) product: String,
    /// Its status.
    pub(crate) status: Status,
    /// When it was granted, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) starts_at: String,
    /// When it expires; `null` for never.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
    /// Reviews per calendar month (UTC); `null` for unlimited.
    #[schema(example = 1000)]
    pub(crate) monthly_review_limit: Option<i64>,
    /// Reviews left in this month; `null` if unlimited.
    #[schema(example = 958)]
    pub(crate) monthly_reviews_left: Option<u64>,
}

/// The status of an entitlement.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = EntitlementStatus)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// It allows the use of the product.
    Active,
    /// Interrupted; it can be resumed.
    Suspended,
    /// It has expired.
    Expired,
    /// It was revoked.
    Revoked,
}

/// One entitlement.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntitlementResponse)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntitlementBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) entitlement: Entitlement,
}

/// A member's entitlements.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = EntitlementList)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntitlementListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The entitlements, by product.
    pub(crate) entitlements: Vec<Entitlement>,
}

/// An entitlement to set.
#[derive(Debug, ToSchema)]
#[schema(as = SetEntitlement)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) struct SetEntitlementBody {
    /// The new status.
    pub(crate) status: WantedStatus,
    /// When it expires, RFC 3339, in the future; `null` for never. If absent: unchanged; for a new grant:
    /// never.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
    /// Reviews per calendar month (UTC), including those already run this month; `null` for unlimited. If absent:
    /// unchanged; for a new grant: unlimited.
    #[schema(example = 1000, minimum = 0, maximum = 1000000000)]
    pub(crate) monthly_review_limit: Option<i64>,
}

/// The statuses that can be set.
#[derive(Debug, ToSchema)]
#[schema(as = SettableEntitlementStatus)]
#[serde(rename_all = "lowercase")]
#[expect(
    dead_code,
    reason = "describes the request in the OpenAPI document; extract::json reads it"
)]
pub(crate) enum WantedStatus {
    /// Granted or resumed.
    Active,
    /// Interrupted.
    Suspended,
}
