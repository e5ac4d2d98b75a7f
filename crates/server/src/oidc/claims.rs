//! Validates the claims of a token with a verified signature.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use store::{Scope, UnixMillis, names};

use super::{AuthError, CodeFlow, SignIn};

/// Maximum difference between the issuer's clock and ours.
const SKEW: Duration = Duration::from_secs(60);
/// Maximum length of a subject, defined by OpenID Connect Core 1.0 (section 2).
const SUBJECT_BYTES: usize = 255;
/// Maximum length of a display name, in Unicode scalar values.
const NAME_CHARACTERS: usize = 120;

/// The user that a token identifies, and the token's scopes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Identifies the user at the issuer.
    pub(crate) subject: String,
    /// The display name.
    pub(crate) name: String,
    pub(crate) scopes: Vec<Scope>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: OneOrMany,
    exp: f64,
    nbf: Option<f64>,
    scope: Option<OneOrMany>,
    /// The name of `scope` in tokens of Entra ID and Okta.
    scp: Option<OneOrMany>,
    name: Option<Value>,
    preferred_username: Option<Value>,
    nonce: Option<String>,
    /// The authorized party, for a token with several audiences.
    azp: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn as_slice(&self) -> &[String] {
        match self {
            Self::One(text) => std::slice::from_ref(text),
            Self::Many(texts) => texts,
        }
    }
}

/// Reads the claims of a token whose signature was verified.
///
/// # Errors
/// The first failed check.
pub(super) fn check(
    payload: &[u8],
    expected: &SignIn,
    now: UnixMillis,
) -> Result<Identity, AuthError> {
    let claims = read(payload, &expected.issuer, &expected.audience, now)?;
    let scopes = scopes(&claims, &expected.scopes);
    Ok(claims.identity(scopes))
}

/// Reads the claims of an ID token whose signature was verified (OpenID Connect Core 1.0, section 3.1.3.7).
///
/// # Errors
/// The first failed check.
pub(super) fn check_id_token(
    payload: &[u8],
    issuer: &str,
    flow: &CodeFlow,
    nonce: &str,
    now: UnixMillis,
) -> Result<Identity, AuthError> {
    let claims = read(payload, issuer, &flow.client_id, now)?;
    let is_for_others = claims.aud.as_slice().len() > 1;
    if claims
        .azp
        .as_ref()
        .map_or(is_for_others, |party| *party != flow.client_id)
    {
        return Err(AuthError::Audience);
    }
    if claims.nonce.as_deref() != Some(nonce) {
        return Err(AuthError::Nonce);
    }
    Ok(claims.identity(flow.session_scopes.clone()))
}

fn read(
    payload: &[u8],
    issuer: &str,
    audience: &str,
    now: UnixMillis,
) -> Result<Claims, AuthError> {
    let claims: Claims = serde_json::from_slice(payload).map_err(|_| AuthError::Claims)?;
    let sound = !claims.sub.is_empty()
        && claims.sub.len() <= SUBJECT_BYTES
        && !claims.sub.chars().any(char::is_control)
        && claims.exp.is_finite()
        && claims.nbf.is_none_or(f64::is_finite);
    if !sound {
        return Err(AuthError::Claims);
    }
    if claims.iss != issuer {
        return Err(AuthError::Issuer);
    }
    if !claims.aud.as_slice().iter().any(|named| named == audience) {
        return Err(AuthError::Audience);
    }
    // Seconds since 1970, possibly with a fraction (RFC 7519, section 2). Present times in milliseconds fit into a
    // double.
    let (now, skew) = (now.0 as f64 / 1_000.0, SKEW.as_secs_f64());
    if now >= claims.exp + skew {
        return Err(AuthError::Expired);
    }
    if claims.nbf.is_some_and(|begin| now < begin - skew) {
        return Err(AuthError::NotYet);
    }
    Ok(claims)
}

impl Claims {
    fn identity(self, scopes: Vec<Scope>) -> Identity {
        let names = [&self.name, &self.preferred_username];
        let name = names
            .into_iter()
            .find_map(|claim| cleaned(claim.as_ref()?.as_str()?));
        let name = name
            .or_else(|| cleaned(&self.sub))
            .unwrap_or_else(|| "-".to_owned());
        Identity {
            subject: self.sub,
            name,
            scopes,
        }
    }
}

/// The token's scopes that are ours and those that every token has, in the order of [`Scope::ALL`].
fn scopes(claims: &Claims, granted: &[Scope]) -> Vec<Scope> {
    let lists = [&claims.scope, &claims.scp].into_iter().flatten();
    let words: Vec<&str> = lists
        .flat_map(|list| list.as_slice())
        .flat_map(|text| text.split_ascii_whitespace())
        .collect();
    let has = |scope: &&Scope| granted.contains(scope) || words.contains(&scope.as_str());
    Scope::ALL.iter().filter(has).copied().collect()
}

/// A name that can be displayed anywhere: one line, without misleading characters, not too long. The user cannot be
/// asked to correct it.
fn cleaned(name: &str) -> Option<String> {
    let kept: String = name
        .chars()
        .filter(|character| !character.is_control())
        .collect();
    let mut kept: String = kept.trim().chars().take(NAME_CHARACTERS).collect();
    while let Some(character) = names::misleading_character(&kept) {
        kept.retain(|other| other != character);
    }
    (!names::is_blank(&kept)).then(|| kept.trim().to_owned())
}
