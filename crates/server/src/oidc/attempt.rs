//! A browser's attempt to sign in: the content of its cookie, and the values derived from it.
//!
//! `state`, `nonce` and the PKCE verifier are hashes of the whole cookie. The issuer, which sees two of them, cannot
//! compute the third; a changed cookie has another `state`; and the service stores only the digest by which the
//! attempt is redeemed once.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use store::{AttemptDigest, AttemptSecret};

/// An attempt, from the redirect to the issuer until the callback.
pub(crate) struct Attempt {
    secret: AttemptSecret,
    /// The page to show afterwards.
    next: String,
}

impl Attempt {
    pub(crate) fn new(next: String) -> Self {
        Self {
            secret: AttemptSecret::generate(),
            next,
        }
    }

    /// Parses a cookie's value.
    pub(crate) fn parse(cookie: &str) -> Option<Self> {
        let (secret, next) = cookie.split_once('.')?;
        let next = String::from_utf8(URL_SAFE_NO_PAD.decode(next).ok()?).ok()?;
        Some(Self {
            secret: AttemptSecret::parse(secret)?,
            next,
        })
    }

    /// The cookie's value.
    pub(crate) fn cookie(&self) -> String {
        format!(
            "{}.{}",
            self.secret.expose(),
            URL_SAFE_NO_PAD.encode(&self.next)
        )
    }

    pub(crate) fn next(&self) -> &str {
        &self.next
    }

    pub(crate) fn digest(&self) -> AttemptDigest {
        self.secret.digest()
    }

    /// The `state`, which the issuer returns and which ties its response to this browser.
    pub(crate) fn state(&self) -> String {
        self.derived("state of ")
    }

    /// The `nonce`, which the ID token must repeat.
    pub(crate) fn nonce(&self) -> String {
        self.derived("nonce of ")
    }

    /// The `code_verifier` (RFC 7636).
    pub(super) fn verifier(&self) -> String {
        self.derived("verifier of ")
    }

    /// The `code_challenge`, by the method S256.
    pub(super) fn challenge(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(self.verifier()))
    }

    fn derived(&self, purpose: &str) -> String {
        URL_SAFE_NO_PAD.encode(
            Sha256::new()
                .chain_update(purpose)
                .chain_update(self.cookie())
                .finalize(),
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::Attempt;

    #[test]
    fn derived_values_survive_the_cookie_round_trip() {
        let attempt = Attempt::new("/tokens?after=é".to_owned());
        let read = Attempt::parse(&attempt.cookie()).unwrap();
        assert_eq!(
            (read.next(), read.digest()),
            (attempt.next(), attempt.digest())
        );
        let derived = |one: &Attempt| [one.state(), one.nonce(), one.verifier(), one.challenge()];
        assert_eq!(derived(&read), derived(&attempt));
        let other = Attempt::new("/tokens?after=é".to_owned());
        let all: HashSet<String> = derived(&attempt)
            .into_iter()
            .chain(derived(&other))
            .collect();
        assert!(
            all.len() == 8 && all.iter().all(|text| text.len() == 43),
            "a verifier has 43 characters or more"
        );
    }

    #[test]
    fn a_changed_cookie_has_another_state() {
        let attempt = Attempt::new("/".to_owned());
        let cookie = attempt.cookie().replace(".Lw", ".L3Rva2Vucw");
        let changed = Attempt::parse(&cookie).unwrap();
        assert_eq!(
            (changed.next(), changed.digest()),
            ("/tokens", attempt.digest())
        );
        assert_ne!(changed.state(), attempt.state());
        for wrong in [
            "",
            ".",
            "x.Lw",
            &attempt.cookie()[..53],
            &format!("{}=", attempt.cookie()),
        ] {
            assert!(Attempt::parse(wrong).is_none(), "{wrong}");
        }
    }
}
