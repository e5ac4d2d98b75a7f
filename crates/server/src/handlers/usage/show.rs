//! GET /v1/organizations/{organizationId}/usage

use std::borrow::Cow;

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use jiff::civil::Date;
use store::UserId;

use crate::State;
use crate::error::Problem;
use crate::extract::query::Parameters;
use crate::extract::{Call, Input, Manager, OrganizationsRead, Page, page::PageParameters};
use crate::handlers::reviews::diff_sync::day_of;
use crate::refusals::problems;
use crate::wire::usage::{Counts, UsageBody, UsageOfDay, UsageOfMember};

/// Maximum number of days in a response.
const MAX_DAYS: i32 = 366;

problems!(EVERY, V1, MEMBER; InsufficientRole);

/// Show usage
///
/// Reviews, findings by priority and language-model tokens: in total, by day and by member. Days are in UTC, and both
/// ends are included; at most 366 days. The total and the days cover the whole organization and are on the first
/// page; members are paginated, and later pages have only members. A review counts on the day it began.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/usage",
    operation_id = "getUsage",
    tag = "Usage",
    security(("bearer" = ["organizations:read"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("from" = Option<String>, Query, description = "The first day (UTC), `YYYY-MM-DD`; the first day of the month of `to` by default", pattern = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$", format = Date, example = "2026-11-01"),
        ("to" = Option<String>, Query, description = "The last day (UTC), `YYYY-MM-DD`; today by default", pattern = r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$", format = Date, example = "2026-11-30"),
        PageParameters,
    ),
    responses((status = 200, description = "The usage", body = UsageBody), Problems)
)]
pub(crate) async fn show(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsRead>, Period>,
) -> Result<Json<UsageBody>, Problem> {
    let organization = call.principal.0.membership.organization.id;
    let Period { from, to, page } = call.input;
    let (from, to) = (from.to_string(), to.to_string());
    let days = match page.after {
        None => Some(
            state
                .store()
                .list_usage_of_days(organization, &from, &to)
                .await?,
        ),
        Some(_) => None,
    };
    let members =
        state
            .store()
            .list_usage_of_members(organization, (&from, &to), page.after, page.limit + 1);
    let mut members = members.await?;
    let next_cursor = page.cut(&mut members, |member| member.user_id);
    Ok(Json(UsageBody {
        request_id: call.context.request_id().to_owned(),
        from,
        to,
        total: days
            .as_ref()
            .map(|days| Counts::from(days.iter().map(|day| day.usage).sum::<store::Usage>())),
        days: days.map(|days| days.into_iter().map(UsageOfDay::from).collect()),
        members: members.into_iter().map(UsageOfMember::from).collect(),
        next_cursor,
    }))
}

/// The requested days and members.
pub(crate) struct Period {
    from: Date,
    to: Date,
    page: Page<UserId>,
}

impl Input for Period {
    async fn read(parts: &Parts, _body: Body, state: &State) -> Result<Self, Problem> {
        let mut parameters = Parameters::of(parts);
        let (from, to) = (parameters.take("from", day), parameters.take("to", day));
        let page = Page::take(&mut parameters);
        let to = to.unwrap_or_else(|| day_of(state.now()));
        let from = from.unwrap_or_else(|| to.first_of_month());
        let days = from.duration_until(to).as_hours() / 24 + 1;
        if days < 1 {
            parameters.fault("from", format!("must not be after `to`, which is {to}"));
        } else if days > i64::from(MAX_DAYS) {
            parameters.fault(
                "from",
                format!("must be at most {MAX_DAYS} days up to `to`, {to}, not {days}"),
            );
        }
        parameters.finish()?;
        Ok(Self { from, to, page })
    }
}

/// Parses a day, which has only one form.
fn day(text: &str) -> Result<Date, Cow<'static, str>> {
    let day: Option<Date> = text.parse().ok();
    let day = day.filter(|day| day.to_string() == text && day.year() >= 0);
    day.ok_or_else(|| "must be a day such as `2026-11-30`".into())
}
