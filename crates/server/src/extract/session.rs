//! The session cookie of a signed-in browser, and the CSRF token of its forms.

use async_recursion::async_recursion as boxed;
use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use store::{AuthenticatedToken, SessionSecret, TokenId};

use super::origin;
use crate::error::{Code, Problem};
use crate::{Settings, State};

/// The names of a cookie: one that browsers accept only over TLS, for the whole host and from the host itself, and
/// one for this machine without TLS.
pub(crate) type CookieNames = [&'static str; 2];

/// The cookie of a session.
pub(crate) const SESSION_COOKIE: CookieNames = ["__Host-hunkwise", "hunkwise"];
/// The cookie of a browser that is signing in at the issuer.
pub(crate) const ATTEMPT_COOKIE: CookieNames = ["__Host-hunkwise-sign-in", "hunkwise-sign-in"];

/// Marks routes whose callers have a session instead of a bearer token.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ByBrowser;

/// The browser's cookie, whether the session is valid or not.
pub(crate) struct Session(Option<SessionSecret>);

impl Session {
    pub(crate) fn of(parts: &Parts, settings: &Settings) -> Self {
        Self(
            cookies(parts, SESSION_COOKIE, settings)
                .find_map(|(_, value)| SessionSecret::parse(value)),
        )
    }

    pub(crate) const fn secret(&self) -> Option<&SessionSecret> {
        self.0.as_ref()
    }

    /// The token in each form of this session. It is derived from the cookie, which no other site can read, so it
    /// need not be stored.
    pub(crate) fn form_token(&self) -> String {
        let secret = self
            .0
            .as_ref()
            .map(SessionSecret::expose)
            .unwrap_or_default();
        URL_SAFE_NO_PAD.encode(
            Sha256::new()
                .chain_update("form token of ")
                .chain_update(secret)
                .finalize(),
        )
    }

    /// Refuses a form that does not carry the token of this session.
    ///
    /// # Errors
    /// [`Code::CrossSite`].
    pub(crate) fn check(&self, form_token: Option<&str>) -> Result<(), Problem> {
        if self.0.is_some() && form_token == Some(self.form_token().as_str()) {
            return Ok(());
        }
        Err(Problem::new(
            Code::CrossSite,
            "The form does not belong to this session. Reload the page and try again.",
        ))
    }
}

/// The cookies of the request with the first of these names or, on this machine without TLS, the second: names and
/// values.
pub(crate) fn cookies<'a>(
    parts: &'a Parts,
    names: CookieNames,
    settings: &Settings,
) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
    let plain = !settings.is_https() && origin::is_at_loopback(parts);
    let fields = parts
        .headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|field| field.to_str().ok());
    let pairs = fields
        .flat_map(|field| field.split(';'))
        .filter_map(|pair| pair.trim().split_once('='));
    pairs.filter(move |(name, _)| *name == names[0] || (plain && *name == names[1]))
}

impl FromRequestParts<State> for Session {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Infallible> {
        Ok(Self::of(parts, state.settings()))
    }
}

/// The token of the browser's session.
///
/// # Errors
/// [`Code::CrossSite`] for a change requested by another site, [`Code::Unauthenticated`] without a valid session.
#[boxed]
pub(super) async fn authenticate(
    parts: &Parts,
    state: &State,
) -> Result<AuthenticatedToken, Problem> {
    if !parts.method.is_safe() {
        origin::check(parts, state.settings())?;
    }
    let session = Session::of(parts, state.settings());
    let found = match session.secret() {
        Some(secret) => {
            state
                .store()
                .find_session(&secret.digest(), state.now())
                .await?
        }
        None => None,
    };
    let token = found.ok_or_else(|| {
        Problem::new(
            Code::Unauthenticated,
            "You are not signed in, or your session has ended.",
        )
    })?;
    if token.token_id != TokenId::of_issuer_tokens(token.user_id) {
        state.token_last_used().note(token.token_id, state.now());
    }
    Ok(token)
}

#[cfg(test)]
mod tests {
    use axum::http::Request;
    use store::SessionSecret;

    use super::Session;
    use crate::Settings;

    fn session(host: &str, cookies: &[String]) -> Session {
        session_at(None, host, cookies)
    }

    fn session_at(public_url: Option<&str>, host: &str, cookies: &[String]) -> Session {
        let request = cookies
            .iter()
            .fold(Request::get("/").header("host", host), |request, cookie| {
                request.header("cookie", cookie)
            });
        let settings = Settings {
            public_url: public_url.map(str::to_owned),
            ..Settings::default()
        };
        Session::of(&request.body(()).unwrap().into_parts().0, &settings)
    }

    #[test]
    fn the_cookie_without_its_prefix_counts_only_on_this_machine() {
        let secret = SessionSecret::generate();
        let secret = secret.expose();
        for (host, cookie, found) in [
            ("a.example", format!("__Host-hunkwise={secret}"), true),
            ("a.example", format!("hunkwise={secret}"), false),
            ("localhost:1", format!("hunkwise={secret}"), true),
            (
                "localhost:1",
                format!("a=b; __Host-hunkwise={secret}; c=d"),
                true,
            ),
            (
                "localhost:1",
                format!("hunkwise=nonsense; hunkwise={secret}"),
                true,
            ),
            ("localhost:1", format!("Hunkwise={secret}"), false),
            ("localhost:1", "hunkwise=".to_owned(), false),
            ("localhost:1", secret.to_owned(), false),
        ] {
            assert_eq!(
                session(host, std::slice::from_ref(&cookie))
                    .secret()
                    .is_some(),
                found,
                "{host} {cookie}"
            );
        }
    }

    #[test]
    fn the_cookie_without_its_prefix_never_counts_behind_a_proxy_with_a_public_url() {
        let secret = SessionSecret::generate();
        let secret = secret.expose();
        for (cookie, found) in [
            (format!("__Host-hunkwise={secret}"), true),
            (format!("hunkwise={secret}"), false),
        ] {
            let session = session_at(
                Some("https://a.example"),
                "127.0.0.1:8080",
                std::slice::from_ref(&cookie),
            );
            assert_eq!(session.secret().is_some(), found, "{cookie}");
        }
    }

    #[test]
    fn a_form_belongs_to_one_session() {
        let cookie = |secret: SessionSecret| format!("hunkwise={}", secret.expose());
        let own = session("localhost", &[cookie(SessionSecret::generate())]);
        let other = session("localhost", &[cookie(SessionSecret::generate())]);
        let anonymous = session("localhost", &[]);
        assert!(own.check(Some(&own.form_token())).is_ok());
        for wrong in [
            Some(other.form_token()),
            Some(anonymous.form_token()),
            Some(String::new()),
            None,
        ] {
            assert!(own.check(wrong.as_deref()).is_err(), "{wrong:?}");
        }
        assert!(anonymous.check(Some(&anonymous.form_token())).is_err());
    }
}
