//! Entitlements of a member.

use serde::Serialize;
use utoipa::ToSchema;

/// A member's right to use a product.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Entitlement {
    /// To what the member is entitled.
    #[schema(example = "diff-review")]
    pub(crate) product: String,
    /// Where it is in its life.
    pub(crate) status: Status,
    /// When it was granted, RFC 3339 in UTC.
    #[schema(format = DateTime, example = "2026-11-20T12:00:00Z")]
    pub(crate) starts_at: String,
    /// From this time on it is expired; `null` for never.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
    /// Reviews in a calendar month (UTC); `null` for any number.
    pub(crate) monthly_review_limit: Option<i64>,
    /// What is left of them in this month; `null` where there is no limit.
    pub(crate) monthly_reviews_left: Option<u64>,
}

/// Where an entitlement is in its life.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = EntitlementStatus)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    /// It allows the use of the product.
    Active,
    /// It does not, but may again.
    Suspended,
    /// Its time is over.
    Expired,
    /// It was taken away.
    Revoked,
}

/// One entitlement.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntitlementBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    #[serde(flatten)]
    pub(crate) entitlement: Entitlement,
}

/// A member's entitlements.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct EntitlementListBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The entitlements, by product.
    pub(crate) entitlements: Vec<Entitlement>,
}

/// What an entitlement is to be.
#[derive(Debug, ToSchema)]
#[schema(as = SetEntitlement)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "describes the request in the OpenAPI document; extract::json reads it")]
pub(crate) struct SetEntitlementBody {
    /// What it is to be.
    pub(crate) status: WantedStatus,
    /// From this time on it is expired, RFC 3339, in the future; `null` for never. Left out: as it is; of a new grant:
    /// never.
    #[schema(format = DateTime, example = "2027-11-20T12:00:00Z")]
    pub(crate) expires_at: Option<String>,
    /// Reviews in a calendar month (UTC), those of this month that are done already included; `null` for any number. Left
    /// out: as it is; of a new grant: any number.
    #[schema(minimum = 0, maximum = 1000000000)]
    pub(crate) monthly_review_limit: Option<i64>,
}

/// What an entitlement can be made.
#[derive(Debug, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "describes the request in the OpenAPI document; extract::json reads it")]
pub(crate) enum WantedStatus {
    /// Granted, or given back.
    Active,
    /// Interrupted.
    Suspended,
}
