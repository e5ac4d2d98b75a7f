//! /organizations/{organizationId}/invitations: the open invitations, a form that creates one, and its link, shown once.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::{InvitationId, UnixMillis};

use super::once::{Once, Secret};
use super::place::Place;
use super::times::{day, in_days, minute};
use crate::State;
use crate::error::Problem;
use crate::extract::form::{Filled, Form, OfForm};
use crate::extract::json::Fields;
use crate::extract::session::Session;
use crate::extract::{Call, Manager, Named, Nothing, OrganizationsRead, OrganizationsWrite, Page};
use crate::handlers::invitations::create::{self, CreateInvitationRequest};
use crate::handlers::invitations::{list, revoke as revocation};
use crate::web::page::{Frame, lead, respond};
use crate::wire::invitation::Invitation;

#[derive(Template)]
#[template(path = "invitations.html")]
struct Invitations {
    frame: Frame,
    place: Place,
    invitations: Vec<Invitation>,
    next_cursor: Option<String>,
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<Manager<OrganizationsRead>, Page<InvitationId>>,
) -> Result<Response, Problem> {
    let member = &call.principal.0;
    let frame = Frame::of(member.caller.name.clone(), session.form_token());
    let place = Place::of(&member.membership, "members");
    let Json(list) = list::list(Shared(state), call).await?;
    let page = Invitations {
        frame,
        place,
        invitations: list.invitations,
        next_cursor: list.next_cursor,
    };
    Ok(respond(StatusCode::OK, &page))
}

pub(super) async fn create(
    Shared(state): Shared<State>,
    once: Once,
    call: Call<Manager<OrganizationsWrite>, Filled<CreateInvitationRequest>>,
) -> Result<Response, Problem> {
    let organization = call.principal.0.membership.organization.id;
    let (_, Json(new)) = create::create(Shared(state), call.unfold().1?).await?;
    let page = format!(
        "/organizations/{organization}/invitations/{}",
        new.invitation.invitation_id
    );
    once.lead(&page, &new.code)
}

impl OfForm for CreateInvitationRequest {
    fn of_form(form: &Form, _: &Parts, now: UnixMillis) -> Result<Self, Problem> {
        let expiry = in_days(form.text("days"), now);
        Self::of(
            Fields::of_small_form([
                ("role", form.text("role").into()),
                ("expiresAt", expiry.into()),
            ]),
            now,
        )
    }
}

#[derive(Template)]
#[template(path = "invitation_link.html")]
struct Link {
    frame: Frame,
    place: Place,
    /// `None` if the link was already shown.
    secret: Option<Secret>,
}

/// The page that shows the link. Its checks are those of creating an invitation, so that its creator can see it.
pub(super) async fn show_link(
    session: Session,
    once: Once,
    call: Call<Manager<OrganizationsWrite>, Nothing>,
) -> Result<Response, Problem> {
    let member = &call.principal.0;
    let frame = Frame::of(member.caller.name.clone(), session.form_token());
    let place = Place::of(&member.membership, "members");
    once.end(respond(
        StatusCode::OK,
        &Link {
            frame,
            place,
            secret: once.secret(),
        },
    ))
}

pub(super) async fn revoke(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Filled<Named<InvitationId>>>,
) -> Result<Response, Problem> {
    let organization = call.principal.0.membership.organization.id;
    revocation::revoke(Shared(state), call.unfold().1?).await?;
    Ok(lead(&format!("/organizations/{organization}/invitations")))
}
