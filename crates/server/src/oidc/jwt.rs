//! The form of a signed JWT (RFC 7515, compact serialization), and its header.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::AuthError;
use super::algorithm::Algorithm;

/// Maximum size of a token. Issuers stay far below it, so a larger one is not decoded.
const TOKEN_BYTES: usize = 16 << 10;

/// A token with an unverified signature: no claim in it can be trusted.
pub(super) struct Signed<'t> {
    pub(super) algorithm: Algorithm,
    /// The key ID.
    pub(super) kid: Option<String>,
    /// The signed part.
    pub(super) message: &'t [u8],
    pub(super) signature: Vec<u8>,
    /// The claims, not parsed.
    pub(super) payload: Vec<u8>,
}

/// The parts of the header that are used. Those that would provide a key (`jwk`, `jku`, `x5c`, `x5u`) are not.
#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    typ: Option<String>,
    crit: Option<IgnoredAny>,
}

impl<'t> Signed<'t> {
    /// Parses the token.
    ///
    /// # Errors
    /// It is not a JWT, or its header requires unsupported features.
    pub(super) fn parse(token: &'t str) -> Result<Self, AuthError> {
        if token.len() > TOKEN_BYTES {
            return Err(AuthError::TooLong);
        }
        let (message, signature) = token.rsplit_once('.').ok_or(AuthError::Form)?;
        let (header, payload) = message.split_once('.').ok_or(AuthError::Form)?;
        let decode = |text: &str| URL_SAFE_NO_PAD.decode(text).map_err(|_| AuthError::Form);
        let header: Header =
            serde_json::from_slice(&decode(header)?).map_err(|_| AuthError::Header)?;
        if header.crit.is_some() {
            return Err(AuthError::Critical);
        }
        if !header.typ.as_deref().is_none_or(is_access_token) {
            return Err(AuthError::Type);
        }
        let algorithm = Algorithm::named(&header.alg).ok_or(AuthError::Algorithm)?;
        let (signature, payload) = (decode(signature)?, decode(payload)?);
        Ok(Self {
            algorithm,
            kid: header.kid,
            message: message.as_bytes(),
            signature,
            payload,
        })
    }
}

/// RFC 9068 requires `at+jwt`. Keycloak and Entra ID, and Auth0 by default, write `JWT`, and Okta writes no type; the
/// audience check rejects their ID tokens. Other types are not access tokens, such as `logout+jwt` or `dpop+jwt`.
fn is_access_token(typ: &str) -> bool {
    [
        "at+jwt", "application/at+jwt", "JWT", "application/okta-internal-at+jwt",
    ]
    .iter()
    .any(|known| typ.eq_ignore_ascii_case(known))
}
