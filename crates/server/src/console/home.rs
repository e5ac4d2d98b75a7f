//! GET /: the caller's organizations, each of which leads to its review page; the only one does so at once.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};

use super::page::{Frame, respond};
use crate::State;
use crate::error::{Code, Problem};
use crate::extract::session::Session;
use crate::extract::{Call, Caller, OrganizationsRead, Page};
use crate::handlers::organizations::list;
use crate::wire::organization::Organization;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    organizations: Vec<Organization>,
    next_cursor: Option<String>,
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Result<Call<Caller<OrganizationsRead>, Page>, Problem>,
) -> Result<Response, Problem> {
    let call = match call {
        Err(problem) if problem.code == Code::Unauthenticated => return Ok(Redirect::to("/sign-in").into_response()),
        call => call?,
    };
    let frame = Frame::of(call.principal.name.clone(), session.form_token());
    let is_first = call.input.after.is_none();
    let Json(list) = list::list(Shared(state), call).await?;
    if let ([only], None, true) = (list.organizations.as_slice(), &list.next_cursor, is_first) {
        let path = format!("/organizations/{}/review", only.organization_id);
        return Ok(Redirect::to(&path).into_response());
    }
    let home = Home { frame, organizations: list.organizations, next_cursor: list.next_cursor };
    Ok(respond(StatusCode::OK, &home))
}
