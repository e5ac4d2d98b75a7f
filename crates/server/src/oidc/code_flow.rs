//! The authorization code flow with PKCE, by which a browser signs in (OpenID Connect Core 1.0, section 3.1; RFC 7636).
//!
//! `openidconnect` 4 is not used: it brings `rsa` (RUSTSEC-2023-0071), `p256`, `p384`, `ed25519` and older versions of `rand` and `hmac`, a
//! second set of cryptography for one redirect and one form.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

use super::attempt::Attempt;
use super::discovery::Discovery;
use super::{AuthError, CodeFlow, SignIn};
use crate::Clock;
use crate::loopback::is_loopback;

/// Maximum age of a cached discovery document.
const OLD: Duration = Duration::from_secs(10 * 60);
/// Pause after a failure before the document is requested again.
const PAUSE: Duration = Duration::from_secs(10);
/// Maximum size of a token response, in bytes.
const ANSWER_BYTES: usize = 256 << 10;

/// Why a sign-in with the issuer failed. For the log only.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CodeFlowError {
    #[error("the issuer is not responding correctly: {0}")]
    Unavailable(Box<dyn Error + Send + Sync>),
    #[error("the ID token was refused: {0}")]
    Refused(AuthError),
}

/// The cached discovery document. Only one request at a time fetches it.
#[derive(Default)]
pub(super) struct KnownDiscovery(tokio::sync::Mutex<Option<Known>>);

struct Known {
    document: Option<Arc<Discovery>>,
    until: Duration,
}

impl KnownDiscovery {
    pub(super) async fn get(
        &self,
        settings: &SignIn,
        clock: &Clock,
    ) -> Result<Arc<Discovery>, CodeFlowError> {
        let mut known = self.0.lock().await;
        let now = clock.monotonic();
        if known.as_ref().is_none_or(|known| now >= known.until) {
            let before = known.take().and_then(|known| known.document);
            *known = Some(match Discovery::fetch(settings).await {
                Ok(document) => Known {
                    document: Some(Arc::new(document)),
                    until: now + OLD,
                },
                Err(error) => {
                    tracing::warn!(
                        error = error.as_ref() as &dyn Error,
                        "could not fetch the discovery document of the OpenID Connect issuer"
                    );
                    Known {
                        document: before,
                        until: now + PAUSE,
                    }
                }
            });
        }
        let document = known.as_ref().and_then(|known| known.document.clone());
        document.ok_or_else(|| unavailable("there is no discovery document"))
    }
}

#[derive(Deserialize)]
struct TokenResponse {
    id_token: String,
}

/// The URL at which a browser signs in.
pub(super) fn authorization_url(
    discovery: &Discovery,
    flow: &CodeFlow,
    attempt: &Attempt,
) -> Result<String, CodeFlowError> {
    let endpoint = discovery
        .authorization_endpoint
        .as_deref()
        .filter(|url| is_safe(url));
    let endpoint = endpoint
        .ok_or_else(|| unavailable("the discovery document has no authorization endpoint"))?;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("response_type", "code")
        .append_pair("client_id", &flow.client_id)
        .append_pair("redirect_uri", &flow.redirect_url)
        .append_pair("scope", &flow.request_scopes)
        .append_pair("state", &attempt.state())
        .append_pair("nonce", &attempt.nonce())
        .append_pair("code_challenge", &attempt.challenge())
        .append_pair("code_challenge_method", "S256")
        .finish();
    let separator = if endpoint.contains('?') { '&' } else { '?' };
    Ok(format!("{endpoint}{separator}{query}"))
}

/// The ID token for a code, not verified.
pub(super) async fn id_token(
    settings: &SignIn,
    discovery: &Discovery,
    flow: &CodeFlow,
    code: &str,
    attempt: &Attempt,
) -> Result<String, CodeFlowError> {
    let endpoint = discovery.token_endpoint.as_deref();
    let endpoint =
        endpoint.ok_or_else(|| unavailable("the discovery document has no token endpoint"))?;
    let (form, authorization) = token_request(flow, code, attempt, takes_basic(discovery));
    let answer = settings
        .fetch
        .post_form(endpoint, form, authorization, ANSWER_BYTES);
    let answer = answer.await.map_err(CodeFlowError::Unavailable)?;
    let answer: TokenResponse = serde_json::from_slice(&answer)
        .map_err(|_| unavailable("the token response has no ID token"))?;
    Ok(answer.id_token)
}

/// The form for the token endpoint, and its `Authorization` header field, if any (RFC 6749 sections 2.3.1 and 4.1.3).
fn token_request(
    flow: &CodeFlow,
    code: &str,
    attempt: &Attempt,
    takes_basic: bool,
) -> (String, Option<String>) {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &flow.redirect_url)
        .append_pair("code_verifier", &attempt.verifier());
    let authorization = match &flow.client_secret {
        Some(secret) if takes_basic => Some(basic(&flow.client_id, secret)),
        Some(secret) => {
            form.append_pair("client_id", &flow.client_id)
                .append_pair("client_secret", secret);
            None
        }
        None => {
            form.append_pair("client_id", &flow.client_id);
            None
        }
    };
    (form.finish(), authorization)
}

fn unavailable(reason: &'static str) -> CodeFlowError {
    CodeFlowError::Unavailable(reason.into())
}

/// Whether browsers may be redirected there: over https, or to this machine also over plain http.
fn is_safe(url: &str) -> bool {
    let Ok(parsed) = url.parse::<Uri>() else {
        return false;
    };
    let is_local = parsed
        .authority()
        .is_some_and(|authority| is_loopback(authority.as_str()));
    let scheme = parsed.scheme_str();
    !url.contains('#') && (scheme == Some("https") || (scheme == Some("http") && is_local))
}

/// An issuer that does not list its methods accepts `client_secret_basic`.
fn takes_basic(discovery: &Discovery) -> bool {
    let methods = &discovery.token_endpoint_auth_methods_supported;
    methods.is_empty() || methods.iter().any(|method| method == "client_secret_basic")
}

/// The `Authorization` header field of a client (RFC 6749 section 2.3.1).
fn basic(client_id: &str, secret: &str) -> String {
    let encoded = |text: &str| form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    format!(
        "Basic {}",
        STANDARD.encode(format!("{}:{}", encoded(client_id), encoded(secret)))
    )
}

#[cfg(test)]
mod tests {
    use super::{basic, is_safe};

    #[test]
    fn browsers_are_sent_to_https_or_this_machine() {
        for (url, safe) in [
            ("https://id.example.com/authorize", true),
            ("https://id.example.com/authorize?tenant=1", true),
            ("http://localhost:8080/authorize", true),
            ("http://127.0.0.1/authorize", true),
            ("http://id.example.com/authorize", false),
            ("https://id.example.com/#x", false),
            ("javascript:alert(1)", false),
            ("/authorize", false),
            ("", false),
        ] {
            assert_eq!(is_safe(url), safe, "{url}");
        }
    }

    #[test]
    fn client_credentials_are_encoded_before_they_are_joined() {
        // "a%3Ab:c+%2B" in base64.
        assert_eq!(basic("a:b", "c +"), "Basic YSUzQWI6YyslMkI=");
    }
}
