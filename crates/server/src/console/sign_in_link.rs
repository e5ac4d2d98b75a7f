//! /sign-in/link: a single-use link that signs in. Opening it changes nothing, so that a browser or a scanner that
//! preloads it does not use it up: the page posts the code, by script or button.

use askama::Template;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, Request, State as Shared};
use axum::http::StatusCode;
use axum::response::Response;
use store::SignInCode;

use super::cookie;
use crate::error::{Code, Problem};
use crate::extract::form::Form;
use crate::extract::origin;
use crate::web::page::{Frame, respond};
use crate::{State, client_address};

/// The parameter and form field for a link that leads to the review of the sample.
const SAMPLE: &str = "sample";

#[derive(Template)]
#[template(path = "sign_in_link.html")]
struct SignInLink<'a> {
    frame: Frame,
    code: &'a str,
    /// Whether the link leads to the review of the sample.
    to_sample: bool,
}

pub(super) async fn show(
    code: Result<Path<String>, PathRejection>,
    request: Request,
) -> Result<Response, Problem> {
    let code = code.ok().and_then(|Path(code)| SignInCode::parse(&code));
    let code = code
        .filter(|_| client_address::is_loopback(&request))
        .ok_or_else(Problem::no_such_path)?;
    let to_sample = request.uri().query() == Some(SAMPLE);
    Ok(respond(
        StatusCode::OK,
        &SignInLink {
            frame: Frame::open(),
            code: code.expose(),
            to_sample,
        },
    ))
}

pub(super) async fn redeem(
    Shared(state): Shared<State>,
    request: Request,
) -> Result<Response, Problem> {
    let is_local = client_address::is_loopback(&request);
    let (parts, body) = request.into_parts();
    if !is_local || !origin::is_at_loopback(&parts) {
        return Err(Problem::no_such_path());
    }
    origin::check(&parts, state.settings())?;
    let form = Form::read(&parts, body).await?;
    let code = form.get("code").and_then(SignInCode::parse);
    let token = code.and_then(|code| state.sign_in_links().redeem(&code, state.now()));
    let session = match token {
        Some(token) => state.store().insert_session(token, state.now()).await?,
        None => None,
    };
    let session = session
        .ok_or_else(|| Problem::new(Code::NotFound, "The link was already used or has expired."))?;
    // The review page's script reads the fragment, which browsers keep through redirects.
    let plain = origin::is_plain_loopback(&parts, state.settings());
    cookie::signed_in(
        plain,
        &session,
        if form.get(SAMPLE).is_some() {
            "/#sample"
        } else {
            "/"
        },
    )
}
