//! /sign-in: a browser opens a session with an access token or through the OpenID Connect issuer.

use askama::Template;
use axum::extract::{Request, State as Shared};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::{InvitationCode, TokenSecret};

use super::cookie;
use crate::error::Problem;
use crate::extract::form::Form;
use crate::extract::origin;
use crate::extract::session::Session;
use crate::web::own_path::{link, own_path};
use crate::web::page::{Frame, respond};
use crate::{State, client_address};

#[derive(Template)]
#[template(path = "sign_in.html")]
struct SignIn<'a> {
    frame: Frame,
    issuer: Option<Issuer<'a>>,
    contents: Contents<'a>,
}

/// The issuer that browsers can sign in with.
struct Issuer<'a> {
    host: &'a str,
    /// The path that starts the sign-in with the issuer.
    link: String,
}

/// The contents of the sign-in page.
#[derive(Default)]
struct Contents<'a> {
    /// The problem with the token.
    problem: Option<&'a str>,
    /// The problem with the sign-in through the issuer.
    issuer_problem: Option<&'a str>,
    /// The code of the invitation to accept after signing in.
    invitation: Option<&'a str>,
    /// The page to show after signing in.
    next: Option<&'a str>,
}

/// The message does not say which.
const REFUSED: &str =
    "This is not an access token of this service, or it has expired or been revoked.";
const NEEDS_TLS: &str = "The browser would not keep the session: the console needs HTTPS, except on this machine if no public URL is set.";

pub(super) async fn show(Shared(state): Shared<State>, request: Request) -> Response {
    let (parts, _) = request.into_parts();
    page(
        &state,
        StatusCode::OK,
        Contents {
            next: next(&parts).as_deref(),
            ..Contents::default()
        },
    )
}

/// The page of this service to show after signing in, from the query.
pub(super) fn next(parts: &Parts) -> Option<String> {
    let mut pairs = form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let (_, next) = pairs.find(|(name, _)| name == "next")?;
    own_path(&next).map(str::to_owned)
}

/// The page with a problem of the sign-in through the issuer.
pub(super) fn refused(state: &State, status: StatusCode, problem: &str, next: &str) -> Response {
    page(
        state,
        status,
        Contents {
            issuer_problem: Some(problem),
            next: own_path(next),
            ..Contents::default()
        },
    )
}

/// The page for an invited person.
pub(super) fn to_accept(state: &State, invitation: &InvitationCode) -> Response {
    page(
        state,
        StatusCode::UNAUTHORIZED,
        Contents {
            invitation: Some(invitation.expose()),
            ..Contents::default()
        },
    )
}

pub(super) async fn submit(
    Shared(state): Shared<State>,
    request: Request,
) -> Result<Response, Problem> {
    let client = client_address::of(&request, &state.settings().trusted_proxies);
    let (parts, body) = request.into_parts();
    origin::check(&parts, state.settings())?;
    if origin::is_plain_elsewhere(&parts, state.settings()) {
        return Ok(page(
            &state,
            StatusCode::BAD_REQUEST,
            Contents {
                problem: Some(NEEDS_TLS),
                ..Contents::default()
            },
        ));
    }
    let form = Form::read(&parts, body).await?;
    let next = form.get("next").and_then(own_path);
    let invitation = form.get("invitation").and_then(InvitationCode::parse);
    let tried = form
        .get("token")
        .and_then(|text| TokenSecret::parse(text.trim()))
        .map(|secret| secret.digest());
    let found = match &tried {
        Some(digest) => state.store().find_token(digest, state.now()).await?,
        None => None,
    };
    let session = match found {
        Some(token) => {
            state
                .store()
                .insert_session(token.token_id, state.now())
                .await?
        }
        None => None,
    };
    let Some(session) = session else {
        state.sign_in_limiter().count_failure(client, tried)?;
        let invitation = invitation.as_ref().map(InvitationCode::expose);
        let contents = Contents {
            problem: Some(REFUSED),
            invitation,
            next,
            ..Contents::default()
        };
        return Ok(page(&state, StatusCode::UNAUTHORIZED, contents));
    };
    // Signing in again ends the previous session.
    if let Some(before) = Session::of(&parts, state.settings()).secret() {
        state.store().delete_session(&before.digest()).await?;
    }
    let to_accept = invitation.map(|code| format!("/invitations/{}", code.expose()));
    let plain = origin::is_plain_loopback(&parts, state.settings());
    cookie::signed_in(
        plain,
        &session,
        to_accept.as_deref().or(next).unwrap_or("/"),
    )
}

fn page(state: &State, status: StatusCode, contents: Contents<'_>) -> Response {
    let issuer = state.issuer().filter(|issuer| issuer.code_flow().is_some());
    let issuer = issuer.map(|issuer| Issuer {
        host: issuer.host(),
        link: link("/sign-in/issuer", contents.next),
    });
    respond(
        status,
        &SignIn {
            frame: Frame::open(),
            issuer,
            contents,
        },
    )
}
