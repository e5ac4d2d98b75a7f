//! Giving a browser its session, and taking it back.

use axum::http::request::Parts;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use store::{SESSION_LIFE, SessionSecret};

use crate::error::Problem;
use crate::extract::origin;
use crate::extract::session::{COOKIE, LOOPBACK_COOKIE};

/// Leads a browser that is signed in from now on to a page.
pub(super) fn signed_in(parts: &Parts, session: &SessionSecret, to: &str) -> Result<Response, Problem> {
    lead(to, parts, session.expose(), SESSION_LIFE.as_secs())
}

/// Leads a browser that is not signed in any more to where it can sign in.
pub(super) fn signed_out(parts: &Parts) -> Result<Response, Problem> {
    lead("/sign-in", parts, "", 0)
}

fn lead(to: &str, parts: &Parts, value: &str, seconds: u64) -> Result<Response, Problem> {
    let (name, secure) = if origin::is_plain_loopback(parts) { (LOOPBACK_COOKIE, "") } else { (COOKIE, "; Secure") };
    let cookie = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    let cookie = HeaderValue::try_from(cookie).map_err(|error| Problem::internal(&error))?;
    let mut response = Redirect::to(to).into_response();
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
