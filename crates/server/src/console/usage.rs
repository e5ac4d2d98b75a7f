//! GET /organizations/{organizationId}/usage: reviews, findings and model tokens, by day as charts and by member.

mod bars;
mod chart;

use askama::Template;
use axum::Json;
use axum::extract::State as Shared;
use axum::http::StatusCode;
use axum::response::Response;

use super::numbers::grouped;
use super::place::Place;
use crate::State;
use crate::context::Context;
use crate::error::Problem;
use crate::extract::session::Session;
use crate::extract::{
    Call, EntitlementReader, Manager, MediaType, Member, Nothing, OrganizationsRead,
};
use crate::handlers::entitlements::list;
use crate::handlers::reviews::diff_sync::{day_of, next_month};
use crate::handlers::usage::show as operation;
use crate::web::page::{Frame, respond};
use crate::web::shown::shown;
use crate::wire::entitlement::{Entitlement, Status};
use crate::wire::usage::{Counts, UsageBody, UsageOfMember};
use bars::Bars;
use chart::Charts;

#[derive(Template)]
#[template(path = "usage.html")]
struct UsagePage {
    frame: Frame,
    place: Place,
    usage: UsageBody,
    /// The charts of the first page.
    charts: Option<Charts>,
    /// The caller's own entitlement in force.
    entitlement: Option<Entitlement>,
    /// The day on which the quota resets.
    renews: String,
}

impl UsagePage {
    /// A bar for each member, as long as their share of the largest number of reviews on the page.
    fn bar(&self, member: &UsageOfMember) -> String {
        let reviews = |member: &UsageOfMember| member.counts.reviews;
        let max = self
            .usage
            .members
            .iter()
            .map(reviews)
            .max()
            .unwrap_or_default();
        Bars::share(reviews(member), max)
    }
}

/// All findings, whatever their priority.
fn findings(counts: &Counts) -> String {
    let of = &counts.findings;
    grouped(
        of.p0
            .saturating_add(of.p1)
            .saturating_add(of.p2)
            .saturating_add(of.p3),
    )
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Call<Manager<OrganizationsRead>, operation::Period>,
) -> Result<Response, Problem> {
    let member = &call.principal.0;
    let frame = Frame::of(member.caller.name.clone(), session.form_token());
    let place = Place::of(&member.membership, "usage");
    let entitlement = own_entitlement(&state, &call.context, member).await?;
    let renews = next_month(day_of(state.now())).to_string();
    let Json(usage) = operation::show(Shared(state), call).await?;
    let charts = usage
        .days
        .as_ref()
        .map(|days| Charts::of(&usage.from, &usage.to, days));
    Ok(respond(
        StatusCode::OK,
        &UsagePage {
            frame,
            place,
            usage,
            charts,
            entitlement,
            renews,
        },
    ))
}

/// The caller's entitlement, if it is active.
async fn own_entitlement(
    state: &State,
    context: &Context,
    member: &Member<OrganizationsRead>,
) -> Result<Option<Entitlement>, Problem> {
    let own = Member {
        caller: member.caller.also()?,
        membership: member.membership.clone(),
    };
    let principal: EntitlementReader<OrganizationsRead> = own.into();
    let call = Call {
        context: context.clone(),
        principal,
        answer: MediaType::Json,
        input: Nothing,
    };
    let Json(list) = list::list(Shared(state.clone()), call).await?;
    Ok(list
        .entitlements
        .into_iter()
        .find(|entitlement| matches!(entitlement.status, Status::Active)))
}
