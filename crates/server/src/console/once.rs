//! A secret that is shown once. The service does not store it: the response to the form puts it into a cookie and
//! redirects to the page that shows it, and that page deletes the cookie. Reloading the page does not create a second
//! secret.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::cookie;
use crate::State;
use crate::error::Problem;
use crate::extract::origin;
use crate::extract::session::{CookieNames, cookies};

const NAMES: CookieNames = ["__Host-hunkwise-once", "hunkwise-once"];
/// Long enough to follow a redirect.
const SECONDS: u64 = 60;

/// The cookie of a request, and what a new one needs.
pub(super) struct Once {
    /// The origin of the service, as the browser sees it.
    address: String,
    plain: bool,
    path: String,
    held: Option<(String, String)>,
}

/// A secret, and the origin of the service for links that use it.
pub(super) struct Secret {
    pub(super) address: String,
    pub(super) secret: String,
}

impl FromRequestParts<State> for Once {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Infallible> {
        let settings = state.settings();
        let held = cookies(parts, NAMES, settings)
            .next()
            .map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (address, plain) = (
            origin::own(parts, settings),
            origin::is_plain_loopback(parts, settings),
        );
        Ok(Self {
            address,
            plain,
            path: parts.uri.path().to_owned(),
            held,
        })
    }
}

impl Once {
    /// Redirects to the page at `path`, which shows the secret.
    pub(super) fn lead(&self, path: &str, secret: &str) -> Result<Response, Problem> {
        let name = cookie::named(NAMES, self.plain);
        let value = URL_SAFE_NO_PAD.encode([path, &self.address, secret].join("\n"));
        set(Redirect::to(path).into_response(), name, &value, SECONDS)
    }

    /// The secret for this page.
    pub(super) fn secret(&self) -> Option<Secret> {
        let (_, value) = self.held.as_ref()?;
        let text = String::from_utf8(URL_SAFE_NO_PAD.decode(value).ok()?).ok()?;
        let [path, address, secret] = text.split('\n').collect::<Vec<_>>().try_into().ok()?;
        (path == self.path).then(|| Secret {
            address: address.to_owned(),
            secret: secret.to_owned(),
        })
    }

    /// Deletes the cookie.
    pub(super) fn end(&self, page: Response) -> Result<Response, Problem> {
        match &self.held {
            Some((name, _)) => set(page, name, "", 0),
            None => Ok(page),
        }
    }
}

fn set(mut response: Response, name: &str, value: &str, seconds: u64) -> Result<Response, Problem> {
    response.headers_mut().insert(
        header::SET_COOKIE,
        cookie::field(name, value, seconds, "Strict")?,
    );
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use axum::http::header;

    use super::{Once, Secret};

    fn once(plain: bool, path: &str, cookie: Option<&str>) -> Once {
        let held = cookie.and_then(|cookie| cookie.split(';').next()?.split_once('='));
        let held = held.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Once {
            address: "https://a.example".to_owned(),
            plain,
            path: path.to_owned(),
            held,
        }
    }

    #[test]
    fn a_secret_is_for_one_page_which_deletes_it() {
        for (plain, start) in [(true, "hunkwise-once="), (false, "__Host-hunkwise-once=")] {
            let answer = once(plain, "/tokens", None)
                .lead("/tokens/1", "hw_x")
                .unwrap();
            assert_eq!(
                (
                    answer.status().as_u16(),
                    &answer.headers()[header::LOCATION]
                ),
                (303, &"/tokens/1".parse().unwrap())
            );
            let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap();
            assert!(
                cookie.starts_with(start) && cookie.ends_with("Secure") != plain,
                "{cookie}"
            );
            assert!(
                !cookie.contains("hw_x") && cookie.contains("; HttpOnly; SameSite=Strict"),
                "{cookie}"
            );
            let page = once(plain, "/tokens/1", Some(cookie));
            let Secret { address, secret } = page.secret().unwrap();
            assert_eq!(
                (address.as_str(), secret.as_str()),
                ("https://a.example", "hw_x")
            );
            let shown = page.end(axum::response::Response::default()).unwrap();
            assert!(
                shown.headers()[header::SET_COOKIE]
                    .to_str()
                    .unwrap()
                    .starts_with(&format!("{start}; "))
            );
            assert!(once(plain, "/tokens/2", Some(cookie)).secret().is_none());
        }
        for nonsense in [
            "hunkwise-once=", "hunkwise-once=%%", "hunkwise-once=YQ", "hunkwise-once=_w",
        ] {
            assert!(
                once(true, "/tokens/1", Some(nonsense)).secret().is_none(),
                "{nonsense}"
            );
        }
    }
}
