//! /invitations/{code}: the invited person accepts. Opening the link does not use it up; a person who is not signed in signs in
//! first.

use askama::Template;
use axum::Json;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State as Shared};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::{InvitationCode, UnixMillis};

use super::sign_in;
use crate::State;
use crate::error::{Code, Problem};
use crate::extract::caller::UnscopedToken;
use crate::extract::form::{Filled, Form, OfForm};
use crate::extract::json::Fields;
use crate::extract::session::Session;
use crate::extract::{AnyScope, Call, Caller, Nothing, OrganizationsWrite};
use crate::handlers::invitations::accept::{self, AcceptInvitationRequest};
use crate::web::page::{Frame, lead, respond};

#[derive(Template)]
#[template(path = "accept.html")]
struct Accept<'a> {
    frame: Frame,
    /// The code; `None` if there is no invitation to accept.
    code: Option<&'a str>,
    problem: Option<&'a Problem>,
}

impl Accept<'_> {
    fn is_member(&self) -> bool {
        self.problem
            .is_some_and(|problem| problem.code == Code::Conflict)
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    code: Result<Path<String>, PathRejection>,
    session: Session,
    call: Result<Call<Caller<AnyScope>, Nothing>, Problem>,
) -> Result<Response, Problem> {
    let code = code
        .ok()
        .and_then(|Path(code)| InvitationCode::parse(&code));
    let call = match (call, &code) {
        (Err(problem), Some(code)) if problem.code == Code::Unauthenticated => {
            return Ok(sign_in::to_accept(&state, code));
        }
        (call, _) => call?,
    };
    let frame = Frame::of(call.principal.name, session.form_token());
    Ok(match &code {
        Some(code) => respond(
            StatusCode::OK,
            &Accept {
                frame,
                code: Some(code.expose()),
                problem: None,
            },
        ),
        None => refuse(frame, &accept::no_invitation()),
    })
}

pub(super) async fn submit(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<UnscopedToken<OrganizationsWrite>, Filled<AcceptInvitationRequest>>,
) -> Result<Response, Problem> {
    let frame = Frame::of(call.principal.0.name.clone(), session.form_token());
    match accept::accept(Shared(state), call.unfold().1?).await {
        Ok(Json(body)) => Ok(lead(&format!(
            "/organizations/{}/review",
            body.organization.organization_id
        ))),
        Err(problem) if matches!(problem.code, Code::NotFound | Code::Conflict) => {
            Ok(refuse(frame, &problem))
        }
        Err(problem) => Err(problem),
    }
}

fn refuse(frame: Frame, problem: &Problem) -> Response {
    respond(
        problem.code.status(),
        &Accept {
            frame,
            code: None,
            problem: Some(problem),
        },
    )
}

impl OfForm for AcceptInvitationRequest {
    fn of_form(form: &Form, _: &Parts, _: UnixMillis) -> Result<Self, Problem> {
        Self::of(Fields::of_small_form([("code", form.text("code").into())]))
    }
}
