//! The form of a signed JWT (RFC 7515, compact serialization) and its header.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::AuthError;
use super::algorithm::Algorithm;

/// Issuers stay far below: what is longer is not worth being decoded.
const TOKEN_BYTES: usize = 16 << 10;

/// A token whose signature nobody has looked at yet: nothing that it says is true.
pub(super) struct Signed<'t> {
    pub(super) algorithm: Algorithm,
    /// The name of the key.
    pub(super) kid: Option<String>,
    /// What was signed.
    pub(super) message: &'t [u8],
    pub(super) signature: Vec<u8>,
    /// The claims, unread.
    pub(super) payload: Vec<u8>,
}

/// What is read of the header. What would bring a key along (`jwk`, `jku`, `x5c`, `x5u`) is not.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<IgnoredAny>,
}

impl<'t> Signed<'t> {
    /// Takes the token apart.
    ///
    /// # Errors
    /// It has not the form of one, or its header asks for what is not done.
    pub(super) fn parse(token: &'t str) -> Result<Self, AuthError> {
        if token.len() > TOKEN_BYTES {
            return Err(AuthError::TooLong);
        }
        let (message, signature) = token.rsplit_once('.').ok_or(AuthError::Form)?;
        let (header, payload) = message.split_once('.').ok_or(AuthError::Form)?;
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| AuthError::Form);
        let header: Header = serde_json::from_slice(&decode(header)?).map_err(|_| AuthError::Header)?;
        if header.crit.is_some() {
            return Err(AuthError::Critical);
        }
        if !header.typ.as_deref().is_none_or(is_access_token) {
            return Err(AuthError::Type);
        }
        let algorithm = Algorithm::named(&header.alg).ok_or(AuthError::Algorithm)?;
        let (signature, payload) = (decode(signature)?, decode(payload)?);
        Ok(Self { algorithm, kid: header.kid, message: message.as_bytes(), signature, payload })
    }
}

/// RFC 9068 wants `at+jwt`. Keycloak and Entra ID, and Auth0 by default, write `JWT`, and Okta writes no type at all;
/// the audience keeps their ID tokens out. Other types are other things, such as `logout+jwt` or `dpop+jwt`.
fn is_access_token(typ: &str) -> bool {
    ["at+jwt", "application/at+jwt", "JWT", "application/okta-internal-at+jwt"]
        .iter()
        .any(|known| typ.eq_ignore_ascii_case(known))
}
