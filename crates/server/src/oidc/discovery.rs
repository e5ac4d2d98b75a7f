//! The issuer's metadata (OpenID Connect Discovery 1.0).

use serde::Deserialize;

use super::SignIn;

/// Maximum size of a discovery document, in bytes.
const DISCOVERY_BYTES: usize = 256 << 10;

/// The parts of the document that are used.
#[derive(Deserialize)]
pub(super) struct Discovery {
    issuer: String,
    pub(super) jwks_uri: String,
    pub(super) authorization_endpoint: Option<String>,
    pub(super) token_endpoint: Option<String>,
    #[serde(default)]
    pub(super) token_endpoint_auth_methods_supported: Vec<String>,
    /// Whether each response of the authorization endpoint names the issuer (RFC 9207).
    #[serde(default)]
    pub(super) authorization_response_iss_parameter_supported: bool,
}

impl Discovery {
    /// Fetches the issuer's document (section 4).
    pub(super) async fn fetch(
        settings: &SignIn,
    ) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        let issuer = &settings.issuer;
        let url = format!(
            "{}/.well-known/openid-configuration",
            issuer.trim_end_matches('/')
        );
        let document = settings.fetch.fetch(&url, DISCOVERY_BYTES).await?;
        let document: Self = serde_json::from_slice(&document)
            .map_err(|_| "the response is not an OpenID Connect discovery document")?;
        if document.issuer != *issuer {
            return Err(
                "the discovery document names another issuer: `oidc.issuer` must match it exactly"
                    .into(),
            );
        }
        Ok(document)
    }
}
