//! GET /organizations: the caller's organizations, to switch between them.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;

use crate::State;
use crate::error::Problem;
use crate::extract::session::Session;
use crate::extract::{Call, Caller, OrganizationsRead, Page};
use crate::handlers::organizations::list;
use crate::web::page::{Frame, respond};
use crate::web::shown::shown;
use crate::wire::organization::Organization;

#[derive(Template)]
#[template(path = "organizations.html")]
pub(super) struct Organizations {
    frame: Frame,
    organizations: Vec<Organization>,
    next_cursor: Option<String>,
    is_first: bool,
}

impl Organizations {
    pub(super) async fn load(
        state: State,
        session: &Session,
        call: Call<Caller<OrganizationsRead>, Page>,
    ) -> Result<Self, Problem> {
        let frame = Frame::of(call.principal.name.clone(), session.form_token());
        let is_first = call.input.after.is_none();
        let Json(list) = list::list(Shared(state), call).await?;
        Ok(Self {
            frame,
            organizations: list.organizations,
            next_cursor: list.next_cursor,
            is_first,
        })
    }

    /// The ID of the one organization on a page without a next one.
    pub(super) fn only(&self) -> Option<&str> {
        match (self.organizations.as_slice(), &self.next_cursor) {
            ([only], None) => Some(&only.organization_id),
            _ => None,
        }
    }

    pub(super) fn respond(&self) -> Response {
        respond(StatusCode::OK, self)
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<Caller<OrganizationsRead>, Page>,
) -> Result<Response, Problem> {
    Ok(Organizations::load(state, &session, call).await?.respond())
}
