//! /sign-in: a browser signs in with an access token, and holds a session from then on.

use askama::Template;
use axum::extract::{Request, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use store::{InvitationCode, TokenSecret};

use super::cookie;
use super::page::{Frame, respond};
use crate::error::Problem;
use crate::extract::form::Form;
use crate::extract::origin;
use crate::extract::session::Session;
use crate::{State, client_address};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn<'a> {
    frame: Frame,
    problem: Option<&'static str>,
    /// The code of the invitation to accept after signing in.
    invitation: Option<&'a str>,
}

/// The answer does not say which.
const REFUSED: &str = "This is not an access token of this service, or it has expired or been revoked.";
const NEEDS_TLS: &str = "The browser would not keep the session: except on this machine, the console needs HTTPS.";

pub(super) async fn show() -> Response {
    page(StatusCode::OK, None, None)
}

/// The page for an invited person.
pub(super) fn to_accept(invitation: &InvitationCode) -> Response {
    page(StatusCode::UNAUTHORIZED, None, Some(invitation))
}

pub(super) async fn submit(Shared(state): Shared<State>, request: Request) -> Result<Response, Problem> {
    let client = client_address::of(&request, &state.settings().trusted_proxies);
    let (parts, body) = request.into_parts();
    origin::check(&parts)?;
    state.sign_in_limiter().count(client)?;
    if origin::is_plain_elsewhere(&parts) {
        return Ok(page(StatusCode::BAD_REQUEST, Some(NEEDS_TLS), None));
    }
    let form = Form::read(&parts, body).await?;
    let invitation = form.get("invitation").and_then(InvitationCode::parse);
    let found = match form.get("token").and_then(|text| TokenSecret::parse(text.trim())) {
        Some(secret) => state.store().find_token(&secret.digest(), state.now()).await?,
        None => None,
    };
    let session = match found {
        Some(token) => state.store().insert_session(token.token_id, state.now()).await?,
        None => None,
    };
    let Some(session) = session else {
        return Ok(page(StatusCode::UNAUTHORIZED, Some(REFUSED), invitation.as_ref()));
    };
    // Signing in again ends the previous session.
    if let Some(before) = Session::of(&parts).secret() {
        state.store().delete_session(&before.digest()).await?;
    }
    let next = invitation.map_or_else(|| "/".to_owned(), |code| format!("/invitations/{}", code.expose()));
    cookie::signed_in(&parts, &session, &next)
}

fn page(status: StatusCode, problem: Option<&'static str>, invitation: Option<&InvitationCode>) -> Response {
    let invitation = invitation.map(InvitationCode::expose);
    respond(status, &SignIn { frame: Frame::open(), problem, invitation })
}
