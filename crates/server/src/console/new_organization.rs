//! /organizations/new: a form that creates an organization.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest as _, Sha256};
use store::UnixMillis;

use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::extract::caller::{Caller, UnscopedToken};
use crate::extract::form::{Filled, Form, OfForm};
use crate::extract::json::Fields;
use crate::extract::session::Session;
use crate::extract::{Call, Nothing, OrganizationsWrite};
use crate::handlers::organizations::create::{self, NewOrganization};
use crate::web::page::{Frame, again, lead, respond};

#[derive(Template)]
#[template(path = "new_organization.html")]
struct Page {
    frame: Frame,
    name: String,
    /// Identifies this form, so that submitting it twice creates one organization.
    form: String,
    problem: Option<Problem>,
}

impl Page {
    fn new(session: &Session, context: &Context, caller: &Caller<OrganizationsWrite>) -> Self {
        Self {
            frame: Frame::of(caller.name.clone(), session.form_token()),
            name: String::new(),
            form: context.request_id().to_owned(),
            problem: None,
        }
    }
}

pub(super) async fn show(
    session: Session,
    call: Call<UnscopedToken<OrganizationsWrite>, Nothing>,
) -> Response {
    respond(
        StatusCode::OK,
        &Page::new(&session, &call.context, &call.principal.0),
    )
}

pub(super) async fn submit(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<UnscopedToken<OrganizationsWrite>, Filled<NewOrganization>>,
) -> Result<Response, Problem> {
    let page = Page::new(&session, &call.context, &call.principal.0);
    let (form, call) = call.unfold();
    let created = match call {
        Ok(call) => create::create(Shared(state), call).await,
        Err(problem) => Err(problem),
    };
    match created {
        Ok((_, _, Json(body))) => Ok(lead(&format!(
            "/organizations/{}/members",
            body.organization.organization_id
        ))),
        Err(problem) => again(problem, |problem| {
            let name = form.text("name").to_owned();
            respond(
                problem.code.status(),
                &Page {
                    name,
                    problem: Some(problem),
                    ..page
                },
            )
        }),
    }
}

impl OfForm for NewOrganization {
    fn of_form(form: &Form, _: &Parts, _: UnixMillis) -> Result<Self, Problem> {
        let name = form.text("name");
        // Submitting the form again with another name creates another organization.
        let key = form
            .get("form")
            .map(|form| URL_SAFE_NO_PAD.encode(Sha256::digest([form, name].join("\n"))));
        Self::of(Fields::of_small_form([("name", name.into())]), key)
    }
}
