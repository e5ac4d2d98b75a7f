//! What a token with a good signature says, and whether it says so to us and now.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use store::{Scope, UnixMillis};

use super::{Identity, Refusal, SignIn};

/// How far the issuer's clock and ours may be apart.
const SKEW: Duration = Duration::from_secs(60);
/// Longest subject, which OpenID Connect Core 1.0 fixes (section 2).
const SUBJECT_BYTES: usize = 255;
/// Longest name for people to read, in Unicode scalar values.
const NAME_CHARACTERS: usize = 120;

#[derive(Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: OneOrMany,
    exp: f64,
    nbf: Option<f64>,
    scope: Option<OneOrMany>,
    /// What Entra ID and Okta call it.
    scp: Option<OneOrMany>,
    name: Option<Value>,
    preferred_username: Option<Value>,
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
/// The first that is not as it must be.
pub(super) fn check(payload: &[u8], expected: &SignIn, now: UnixMillis) -> Result<Identity, Refusal> {
    let claims: Claims = serde_json::from_slice(payload).map_err(|_| Refusal::Claims)?;
    let sound = !claims.sub.is_empty()
        && claims.sub.len() <= SUBJECT_BYTES
        && !claims.sub.chars().any(char::is_control)
        && claims.exp.is_finite()
        && claims.nbf.is_none_or(f64::is_finite);
    if !sound {
        return Err(Refusal::Claims);
    }
    if claims.iss != expected.issuer {
        return Err(Refusal::Issuer);
    }
    if !claims.aud.as_slice().contains(&expected.audience) {
        return Err(Refusal::Audience);
    }
    // Seconds since 1970, which may have a fraction (RFC 7519, section 2). Milliseconds of this age fit into a double.
    let (now, skew) = (now.0 as f64 / 1_000.0, SKEW.as_secs_f64());
    if now >= claims.exp + skew {
        return Err(Refusal::Expired);
    }
    if claims.nbf.is_some_and(|begin| now < begin - skew) {
        return Err(Refusal::NotYet);
    }
    let scopes = scopes(&claims, &expected.scopes);
    let name =
        [&claims.name, &claims.preferred_username].into_iter().find_map(|claim| cleaned(claim.as_ref()?.as_str()?));
    let name = name.unwrap_or_else(|| claims.sub.chars().take(NAME_CHARACTERS).collect());
    Ok(Identity { subject: claims.sub, name, scopes })
}

/// Those of the token that are ours, and those that every token has, in the order of [`Scope::ALL`].
fn scopes(claims: &Claims, granted: &[Scope]) -> Vec<Scope> {
    let lists = [&claims.scope, &claims.scp].into_iter().flatten();
    let words: Vec<&str> =
        lists.flat_map(|list| list.as_slice()).flat_map(|text| text.split_ascii_whitespace()).collect();
    let has = |scope: &&Scope| granted.contains(scope) || words.contains(&scope.as_str());
    Scope::ALL.iter().filter(has).copied().collect()
}

/// A name that can be shown anywhere: one line, nothing that turns the direction of what stands around it, not too long.
fn cleaned(name: &str) -> Option<String> {
    let turns =
        |character| matches!(character, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let kept: String = name.chars().filter(|&character| !character.is_control() && !turns(character)).collect();
    let kept: String = kept.trim().chars().take(NAME_CHARACTERS).collect();
    (!kept.is_empty()).then_some(kept)
}
