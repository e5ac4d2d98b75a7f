//! /sign-in/issuer and /sign-in/callback: signing in with the OpenID Connect issuer, by the authorization code flow.
//!
//! The redirect to the issuer sets a cookie in the browser and stores its digest. The callback needs the cookie, the
//! `state` derived from it, and the digest, which is deleted.

use axum::extract::{Request, State as Shared};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;

use super::{cookie, sign_in};
use crate::error::Problem;
use crate::extract::origin;
use crate::extract::session::{ATTEMPT_COOKIE, Session, cookies};
use crate::oidc::{Attempt, AuthError, CodeFlow, CodeFlowError, Issuer};
use crate::web::own_path::own_path;
use crate::{State, client_address};

/// Redirects the browser to the issuer.
pub(super) async fn start(
    Shared(state): Shared<State>,
    request: Request,
) -> Result<Response, Problem> {
    let (issuer, flow) = configured(&state)?;
    let client = client_address::of(&request, &state.settings().trusted_proxies);
    let (parts, _) = request.into_parts();
    origin::check_page(&parts)?;
    state.sign_in_limiter().count_start(client)?;
    let attempt = Attempt::new(next(&parts, &state));
    match issuer.authorization_url(flow, &attempt).await {
        Ok(url) => {
            state
                .store()
                .insert_attempt(&attempt.digest(), state.now())
                .await?;
            cookie::begun(is_plain(flow, &state), &attempt, &url)
        }
        Err(error) => Ok(failed(&state, issuer, &error, attempt.next())),
    }
}

/// Handles the browser's return.
pub(super) async fn callback(
    Shared(state): Shared<State>,
    request: Request,
) -> Result<Response, Problem> {
    let (issuer, flow) = configured(&state)?;
    let client = client_address::of(&request, &state.settings().trusted_proxies);
    let (parts, _) = request.into_parts();
    let answer = Answer::of(&parts);
    let Some(attempt) = attempt(&parts, &state, answer.get("state")).await? else {
        state.sign_in_limiter().count_failure(client, None)?;
        let text = "The sign-in took longer than 10 minutes, was already used, or was started in another browser. \
                    Sign in again.";
        return Ok(sign_in::refused(&state, StatusCode::BAD_REQUEST, text, "/"));
    };
    let refused = |status, text: &str| Ok(sign_in::refused(&state, status, text, attempt.next()));
    match issuer.is_author(answer.get("iss")).await {
        Ok(true) => {}
        Ok(false) => {
            tracing::warn!("the response to a sign-in names another issuer");
            let text = format!(
                "The response did not come from {}. Sign in again.",
                issuer.host()
            );
            return refused(StatusCode::BAD_REQUEST, &text);
        }
        Err(error) => return Ok(failed(&state, issuer, &error, attempt.next())),
    }
    let Some(code) = answer.get("code").filter(|_| answer.get("error").is_none()) else {
        let (status, text) = not_signed_in(issuer, answer.get("error"));
        return refused(status, &text);
    };
    let identity = match issuer.redeem(flow, code, &attempt).await {
        Ok(identity) => identity,
        Err(error) => return Ok(failed(&state, issuer, &error, attempt.next())),
    };
    let store = state.store();
    let Some(user) = issuer.user(&identity, store).await? else {
        let text = "Your account on this service was disabled or deleted. Contact its operator.";
        return refused(StatusCode::FORBIDDEN, text);
    };
    let session = store
        .insert_issuer_session(user.id, identity.scopes, state.now())
        .await?;
    // Signing in again ends the previous session.
    if let Some(before) = Session::of(&parts, state.settings()).secret() {
        store.delete_session(&before.digest()).await?;
    }
    cookie::signed_in_by_issuer(
        is_plain(flow, &state),
        &session,
        own_path(attempt.next()).unwrap_or("/"),
    )
}

/// The issuer, if browsers can sign in with it.
fn configured(state: &State) -> Result<(&Issuer, &CodeFlow), Problem> {
    let issuer = state.issuer().ok_or_else(Problem::no_such_path)?;
    Ok((
        issuer,
        issuer.code_flow().ok_or_else(Problem::no_such_path)?,
    ))
}

/// Whether the browser returns without TLS. The redirect URL decides, because the browser goes there regardless of
/// the `Host` that a proxy sends.
fn is_plain(flow: &CodeFlow, state: &State) -> bool {
    !state.settings().is_https() && flow.redirect_url.starts_with("http://")
}

/// The page to show afterwards: that of the link, or the invitation that the person came from. An invitation's code
/// must not appear in a query.
fn next(parts: &Parts, state: &State) -> String {
    let referer = || {
        let referer = parts.headers.get(header::REFERER)?.to_str().ok()?;
        let path = own_path(referer.strip_prefix(&origin::own(parts, state.settings()))?)?;
        path.starts_with("/invitations/").then(|| path.to_owned())
    };
    sign_in::next(parts)
        .or_else(referer)
        .unwrap_or_else(|| "/".to_owned())
}

/// Finds and redeems this browser's attempt for the response.
async fn attempt(
    parts: &Parts,
    state: &State,
    given: Option<&str>,
) -> Result<Option<Attempt>, Problem> {
    let mut held = cookies(parts, ATTEMPT_COOKIE, state.settings());
    let held = held.find_map(|(_, value)| {
        Attempt::parse(value).filter(|held| given == Some(held.state().as_str()))
    });
    let Some(attempt) = held else { return Ok(None) };
    let is_open = state
        .store()
        .redeem_attempt(&attempt.digest(), state.now())
        .await?;
    Ok(is_open.then_some(attempt))
}

/// The refusal for an error response of the issuer (RFC 6749 section 4.1.2.1). The issuer's own text is not shown,
/// because anyone can write a URL.
fn not_signed_in(issuer: &Issuer, error: Option<&str>) -> (StatusCode, String) {
    let host = issuer.host();
    match error {
        Some("access_denied") => {
            let text = format!(
                "{host} did not sign you in: you or its administrator declined. Sign in again and agree, \
                 or ask the administrator."
            );
            (StatusCode::FORBIDDEN, text)
        }
        Some("temporarily_unavailable" | "server_error") => {
            (StatusCode::SERVICE_UNAVAILABLE, unavailable(host))
        }
        error => {
            tracing::warn!(
                error,
                "the OpenID Connect issuer refused to sign a browser in"
            );
            let text = format!(
                "{host} refused the request. The operator of this service can find the reason in the log."
            );
            (StatusCode::BAD_REQUEST, text)
        }
    }
}

fn failed(state: &State, issuer: &Issuer, error: &CodeFlowError, next: &str) -> Response {
    tracing::warn!(
        error = error as &dyn std::error::Error,
        "a browser could not sign in with the OpenID Connect issuer"
    );
    let (status, text) = match error {
        CodeFlowError::Unavailable(_) | CodeFlowError::Refused(AuthError::NoKeys) => {
            (StatusCode::SERVICE_UNAVAILABLE, unavailable(issuer.host()))
        }
        CodeFlowError::Refused(_) => {
            let host = issuer.host();
            let text = format!(
                "{host} returned an invalid response. Sign in again; if that does not help, contact the \
                 operator of this service."
            );
            (StatusCode::UNAUTHORIZED, text)
        }
    };
    sign_in::refused(state, status, &text, next)
}

fn unavailable(host: &str) -> String {
    format!(
        "{host} is not responding correctly. Try again in a minute, or sign in with an access token."
    )
}

/// The parameters of the issuer's redirect.
struct Answer(Vec<(String, String)>);

impl Answer {
    fn of(parts: &Parts) -> Self {
        Self(
            form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes())
                .into_owned()
                .collect(),
        )
    }

    fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(given, _)| given == name)
            .map(|(_, value)| value.as_str())
    }
}
