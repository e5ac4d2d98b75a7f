//! Responses for health probes.

use serde::Serialize;
use utoipa::ToSchema;

/// The service runs, or can serve.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Health)]
#[serde(rename_all = "camelCase")]
pub(crate) struct HealthBody {
    /// UUID (version 7) of the request.
    pub(crate) request_id: String,
    /// Always `ok`.
    #[schema(example = "ok")]
    pub(crate) status: &'static str,
}
