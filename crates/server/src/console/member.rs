//! /organizations/{organizationId}/members/{userId}: a member's role and entitlement, for the member and for those
//! who may change them.

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::Response;
use store::{UnixMillis, UserId};

use super::place::Place;
use super::times::{day, minute};
use crate::State;
use crate::error::Problem;
use crate::extract::form::{Filled, Form, OfForm};
use crate::extract::json::Fields;
use crate::extract::session::Session;
use crate::extract::{
    Call, EntitlementReader, Manager, Member, Named, Nothing, OrganizationsRead,
    OrganizationsWrite, named,
};
use crate::handlers::entitlements::list;
use crate::handlers::members::change::{self, Change};
use crate::handlers::members::{find, no_member, remove};
use crate::handlers::reviews::diff_sync::{day_of, next_month};
use crate::web::page::{Frame, lead, respond};
use crate::web::shown::shown;
use crate::wire::entitlement::{Entitlement, Status};
use crate::wire::member;

#[derive(Template)]
#[template(path = "member.html")]
struct MemberPage {
    frame: Frame,
    place: Place,
    member: member::Member,
    is_own: bool,
    entitlement: Option<Entitlement>,
    /// Whether the entitlement form is shown.
    entitles: bool,
    /// The day on which the quota resets.
    renews: String,
}

impl MemberPage {
    fn path(&self) -> String {
        format!(
            "/organizations/{}/members/{}",
            self.place.id, self.member.user_id
        )
    }

    fn status(&self) -> &'static str {
        match self
            .entitlement
            .as_ref()
            .map(|entitlement| entitlement.status)
        {
            Some(Status::Active) => "active",
            Some(Status::Suspended) => "suspended",
            Some(Status::Expired) => "expired",
            Some(Status::Revoked) => "revoked",
            None => "none",
        }
    }

    /// Whether the entitlement can be suspended or revoked.
    fn in_force(&self) -> bool {
        ["active", "suspended"].contains(&self.status())
    }

    /// The form's value for the monthly limit.
    fn limit(&self) -> String {
        let limit = self
            .entitlement
            .as_ref()
            .and_then(|entitlement| entitlement.monthly_review_limit);
        limit.map(|limit| limit.to_string()).unwrap_or_default()
    }

    /// The form's value for the last day.
    fn ends(&self) -> &str {
        self.entitlement
            .as_ref()
            .and_then(|entitlement| entitlement.expires_at.as_deref())
            .map_or("", day)
    }
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<EntitlementReader<OrganizationsRead>, Nothing>,
) -> Result<Response, Problem> {
    let access = &call.principal.0;
    let user = access.user.ok_or_else(no_member)?;
    let place = Place::new(
        access.organization.to_string(),
        access.organization_name.clone(),
        access.role,
        "members",
    );
    let member = find(&state, access.organization, user).await?;
    let frame = Frame::of(access.caller.name.clone(), session.form_token());
    let is_own = access.caller.user == user;
    let entitles = access.may_change(state.settings().managed_by);
    let renews = next_month(day_of(state.now())).to_string();
    let Json(list) = list::list(Shared(state), call).await?;
    let entitlement = list.entitlements.into_iter().next();
    let page = MemberPage {
        frame,
        place,
        member,
        is_own,
        entitlement,
        entitles,
        renews,
    };
    Ok(respond(StatusCode::OK, &page))
}

pub(super) async fn change_role(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Filled<Change>>,
) -> Result<Response, Problem> {
    let organization = call.principal.0.membership.organization.id;
    let Json(changed) = change::change(Shared(state), call.unfold().1?).await?;
    Ok(lead(&format!(
        "/organizations/{organization}/members/{}",
        changed.member.user_id
    )))
}

impl OfForm for Change {
    fn of_form(form: &Form, parts: &Parts, _: UnixMillis) -> Result<Self, Problem> {
        Self::of(
            Fields::of_small_form([("role", form.text("role").into())]),
            named(parts),
        )
    }
}

pub(super) async fn leave_or_remove(
    Shared(state): Shared<State>,
    call: Call<Member<OrganizationsWrite>, Filled<Named<UserId>>>,
) -> Result<Response, Problem> {
    let (organization, own) = (
        call.principal.membership.organization.id,
        call.principal.caller.user,
    );
    let call = call.unfold().1?;
    let left = call.input.0 == Some(own);
    remove::remove(Shared(state), call).await?;
    Ok(if left {
        lead("/organizations")
    } else {
        lead(&format!("/organizations/{organization}/members"))
    })
}
