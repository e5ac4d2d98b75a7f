//! Metadata for OAuth clients.

use serde::Serialize;
use utoipa::ToSchema;

/// Protected resource metadata (RFC 9728).
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = ProtectedResourceMetadata)]
pub(crate) struct ResourceMetadataBody {
    /// UUID (version 7) of the request.
    #[serde(rename = "requestId")]
    pub(crate) request_id: String,
    /// The URL of the resource that the metadata describes.
    #[schema(example = "https://hunkwise.example.com/mcp")]
    pub(crate) resource: String,
    /// The name of the service.
    #[schema(example = "Hunkwise")]
    pub(crate) resource_name: &'static str,
    /// The OpenID Connect issuer whose access tokens are accepted.
    #[schema(example = json!(["https://login.example.com"]))]
    pub(crate) authorization_servers: Vec<String>,
    /// The scopes that a token may have.
    #[schema(example = json!(["reviews:write"]))]
    pub(crate) scopes_supported: Vec<String>,
    /// Tokens are accepted in the header `Authorization` only.
    #[schema(example = json!(["header"]))]
    pub(crate) bearer_methods_supported: [&'static str; 1],
}
