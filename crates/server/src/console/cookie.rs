//! Giving a browser its session, and taking it back; and what it holds while it is at the issuer to sign in.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use store::{ATTEMPT_LIFE, ISSUER_SESSION_LIFE, SESSION_LIFE, SessionSecret};

use crate::error::Problem;
use crate::extract::session::{ATTEMPT_COOKIE, CookieNames, SESSION_COOKIE};
use crate::oidc::Attempt;

/// Leads a browser that is signed in from now on to a page. Without TLS (`plain`) its cookie has another name.
pub(super) fn signed_in(plain: bool, session: &SessionSecret, to: &str) -> Result<Response, Problem> {
    Ok(lead(to, &[set(plain, SESSION_COOKIE, session.expose(), SESSION_LIFE.as_secs())?]))
}

/// The same for a browser that comes from the issuer.
pub(super) fn signed_in_by_issuer(plain: bool, session: &SessionSecret, to: &str) -> Result<Response, Problem> {
    let session = set(plain, SESSION_COOKIE, session.expose(), ISSUER_SESSION_LIFE.as_secs())?;
    Ok(lead(to, &[session, set(plain, ATTEMPT_COOKIE, "", 0)?]))
}

/// Leads a browser to the issuer.
pub(super) fn begun(plain: bool, attempt: &Attempt, to: &str) -> Result<Response, Problem> {
    Ok(lead(to, &[set(plain, ATTEMPT_COOKIE, &attempt.cookie(), ATTEMPT_LIFE.as_secs())?]))
}

/// Leads a browser that is not signed in any more to where it can sign in.
pub(super) fn signed_out(plain: bool) -> Result<Response, Problem> {
    Ok(lead("/sign-in", &[set(plain, SESSION_COOKIE, "", 0)?]))
}

/// The header field for a cookie that links from other sites carry as well.
fn set(plain: bool, names: CookieNames, value: &str, seconds: u64) -> Result<HeaderValue, Problem> {
    field(named(names, plain), value, seconds, "Lax")
}

/// The cookie's name where the browser talks to this machine without TLS (`plain`), or elsewhere.
pub(super) fn named(names: CookieNames, plain: bool) -> &'static str {
    names[usize::from(plain)]
}

/// The header field for a cookie: no script reads it, and one whose name demands TLS is sent over nothing else.
pub(super) fn field(name: &str, value: &str, seconds: u64, same_site: &str) -> Result<HeaderValue, Problem> {
    let secure = if name.starts_with("__Host-") { "; Secure" } else { "" };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}");
    HeaderValue::try_from(cookie).map_err(|error| Problem::internal(&error))
}

fn lead(to: &str, cookies: &[HeaderValue]) -> Response {
    let mut response = Redirect::to(to).into_response();
    for cookie in cookies {
        response.headers_mut().append(header::SET_COOKIE, cookie.clone());
    }
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
