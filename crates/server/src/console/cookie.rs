//! Giving a browser its session, and taking it back; and what it holds while it is at the issuer to sign in.

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use store::{ATTEMPT_LIFE, ISSUER_SESSION_LIFE, SESSION_LIFE, SessionSecret};

use crate::error::Problem;
use crate::extract::origin;
use crate::extract::session::{ATTEMPT_COOKIE, COOKIE, LOOPBACK_ATTEMPT_COOKIE, LOOPBACK_COOKIE};
use crate::oidc::Attempt;

const SESSION: [&str; 2] = [COOKIE, LOOPBACK_COOKIE];
const ATTEMPT: [&str; 2] = [ATTEMPT_COOKIE, LOOPBACK_ATTEMPT_COOKIE];

/// Leads a browser that is signed in from now on to a page.
pub(super) fn signed_in(parts: &Parts, session: &SessionSecret, to: &str) -> Result<Response, Problem> {
    Ok(lead(to, &[set(parts, SESSION, session.expose(), SESSION_LIFE.as_secs())?]))
}

/// The same for a browser that comes from the issuer.
pub(super) fn signed_in_by_issuer(parts: &Parts, session: &SessionSecret, to: &str) -> Result<Response, Problem> {
    let session = set(parts, SESSION, session.expose(), ISSUER_SESSION_LIFE.as_secs())?;
    Ok(lead(to, &[session, set(parts, ATTEMPT, "", 0)?]))
}

/// Leads a browser to the issuer.
pub(super) fn begun(parts: &Parts, attempt: &Attempt, to: &str) -> Result<Response, Problem> {
    Ok(lead(to, &[set(parts, ATTEMPT, &attempt.cookie(), ATTEMPT_LIFE.as_secs())?]))
}

/// Leads a browser that is not signed in any more to where it can sign in.
pub(super) fn signed_out(parts: &Parts) -> Result<Response, Problem> {
    Ok(lead("/sign-in", &[set(parts, SESSION, "", 0)?]))
}

/// The header field for one of these cookies: the first, or on this machine the second.
fn set(parts: &Parts, names: [&str; 2], value: &str, seconds: u64) -> Result<HeaderValue, Problem> {
    let (name, secure) = if origin::is_plain_loopback(parts) { (names[1], "") } else { (names[0], "; Secure") };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
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
