//! Cookies: setting and deleting the browser's session, and the state of a sign-in with the issuer.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use store::{ATTEMPT_LIFE, ISSUER_SESSION_LIFE, SESSION_LIFE, SessionSecret};

use crate::error::Problem;
use crate::extract::session::{ATTEMPT_COOKIE, CookieNames, SESSION_COOKIE};
use crate::oidc::Attempt;

/// Redirects a browser that has just signed in to a page. Without TLS (`plain`), its cookie has another name.
pub(super) fn signed_in(
    plain: bool,
    session: &SessionSecret,
    to: &str,
) -> Result<Response, Problem> {
    Ok(lead(
        to,
        &[set(
            plain,
            SESSION_COOKIE,
            session.expose(),
            SESSION_LIFE.as_secs(),
        )?],
    ))
}

/// The same for a browser that returns from the issuer.
pub(super) fn signed_in_by_issuer(
    plain: bool,
    session: &SessionSecret,
    to: &str,
) -> Result<Response, Problem> {
    let session = set(
        plain,
        SESSION_COOKIE,
        session.expose(),
        ISSUER_SESSION_LIFE.as_secs(),
    )?;
    Ok(lead(to, &[session, set(plain, ATTEMPT_COOKIE, "", 0)?]))
}

/// Redirects a browser to the issuer.
pub(super) fn begun(plain: bool, attempt: &Attempt, to: &str) -> Result<Response, Problem> {
    Ok(lead(
        to,
        &[set(
            plain,
            ATTEMPT_COOKIE,
            &attempt.cookie(),
            ATTEMPT_LIFE.as_secs(),
        )?],
    ))
}

/// Redirects a signed-out browser to the sign-in page.
pub(super) fn signed_out(plain: bool) -> Result<Response, Problem> {
    Ok(lead("/sign-in", &[set(plain, SESSION_COOKIE, "", 0)?]))
}

/// The header field for a cookie that is also sent with links from other sites.
fn set(plain: bool, names: CookieNames, value: &str, seconds: u64) -> Result<HeaderValue, Problem> {
    field(named(names, plain), value, seconds, "Lax")
}

/// The cookie's name, with or without TLS (`plain`: this machine).
pub(super) fn named(names: CookieNames, plain: bool) -> &'static str {
    names[usize::from(plain)]
}

/// The header field for a cookie: no script can read it, and one whose name requires TLS is sent only over TLS.
pub(super) fn field(
    name: &str,
    value: &str,
    seconds: u64,
    same_site: &str,
) -> Result<HeaderValue, Problem> {
    let secure = if name.starts_with("__Host-") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite={same_site}{secure}"
    );
    HeaderValue::try_from(cookie).map_err(|error| Problem::internal(&error))
}

fn lead(to: &str, cookies: &[HeaderValue]) -> Response {
    let mut response = Redirect::to(to).into_response();
    for cookie in cookies {
        response
            .headers_mut()
            .append(header::SET_COOKIE, cookie.clone());
    }
    response
        .headers_mut()
        .insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
