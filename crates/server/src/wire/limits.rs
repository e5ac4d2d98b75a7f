//! The response of `GET /v1/limits`.

use serde::Serialize;
use utoipa::ToSchema;

use crate::limits::LimitsInForce;

/// The limits in force.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = LimitsResponse)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LimitsBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// The limits.
    pub(crate) limits: LimitsInForce,
}
