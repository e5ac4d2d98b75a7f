//! GET /organizations/{organizationId}/members: the members of the organization.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;
use store::UserId;

use super::place::Place;
use super::times::day;
use crate::State;
use crate::error::Problem;
use crate::extract::session::Session;
use crate::extract::{Call, Member, OrganizationsRead, Page};
use crate::handlers::members::list;
use crate::web::page::{Frame, respond};
use crate::web::shown::shown;
use crate::wire::member;

#[derive(Template)]
#[template(path = "members.html")]
struct Members {
    frame: Frame,
    place: Place,
    /// The caller.
    own: String,
    members: Vec<member::Member>,
    next_cursor: Option<String>,
}

impl Members {
    /// Whether the member's page is linked: one's own, and all of them for admins and owners.
    fn links(&self, user: &str) -> bool {
        self.place.manages || self.own == *user
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<Member<OrganizationsRead>, Page<UserId>>,
) -> Result<Response, Problem> {
    let caller = &call.principal.caller;
    let frame = Frame::of(caller.name.clone(), session.form_token());
    let own = caller.user.to_string();
    let place = Place::of(&call.principal.membership, "members");
    let Json(list) = list::list(Shared(state), call).await?;
    let page = Members {
        frame,
        place,
        own,
        members: list.members,
        next_cursor: list.next_cursor,
    };
    Ok(respond(StatusCode::OK, &page))
}
