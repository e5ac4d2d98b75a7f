//! POST /v1/organizations/{organizationId}/reviews/diff/sync

mod allowance;
mod input;
mod job;
mod meter;
mod reservation;
mod stream;

use axum::Json;
use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use review::output::json::ReviewBody;
use store::{OrganizationId, UnixMillis};

use crate::State;
use crate::error::{Code, Problem};
use crate::extract::{Call, Entitled, MediaType, ReviewsWrite};
use crate::metrics::Underway;
use crate::openapi::problems;
use crate::wire::review::ReviewRequestBody;
use allowance::Allowance;
use input::ReviewInput;
use job::Job;
use reservation::Reservation;

problems!(EVERY, V1, MEMBER, BODY; EntitlementRequired, TooManyReviews, QuotaExceeded, AnalysisFailed, AnalysisTimeout);

/// Review a diff and wait for the answer
///
/// Checked in this order: authentication and scope (`reviews:write`), access to the organization, shape of the request,
/// payload limits, entitlement to `diff-review`, pace, reviews at once, monthly quota. Nothing of the diff is stored.
///
/// With `Accept: text/event-stream` the answer is a stream of server-sent events: `progress` (a `ReviewProgress`), any
/// number of times, then one `review` (the body of the JSON answer) or one `error` (a `Problem`: `ANALYSIS_FAILED`,
/// `ANALYSIS_TIMEOUT` or `INTERNAL`). A comment line every 15 seconds keeps proxies from closing the wait. Refusals before
/// the analysis are plain HTTP errors.
#[utoipa::path(
    post,
    path = "/v1/organizations/{organizationId}/reviews/diff/sync",
    operation_id = "reviewDiff",
    tag = "Reviews",
    params(("organizationId" = String, Path, description = "The organization")),
    request_body = ReviewRequestBody,
    responses(
        (status = 200, description = "The review", content((ReviewBody = "application/json"), (String = "text/event-stream"))),
        Problems
    )
)]
pub(crate) async fn review_diff(
    Shared(state): Shared<State>,
    call: Call<Entitled<ReviewsWrite>, ReviewInput>,
) -> Result<Response, Problem> {
    let organization = call.who.member.membership.organization.id;
    let user = call.who.member.caller.user;
    let slot = state.metrics().reviews().queue(state.slots().acquire(organization)).await?;
    let day = day_of(state.now());
    let limit = call.who.monthly_review_limit();
    let Some(reservation) = Reservation::make(&state, organization, user, day, limit).await? else {
        let problem = quota_exceeded(limit, day, state.now());
        state.metrics().reviews().refuse(&problem);
        return Err(problem);
    };
    let allowance = Allowance::reserve(&state, organization, day).await?;
    let guidelines = guidelines(&state, organization).await?;
    let (context, input) = (call.context, call.input);
    let underway = Underway::begin(state.metrics());
    let job = Job { state, context, reservation, allowance, guidelines, input, organization, underway, slot };
    match call.answer {
        MediaType::Json => Ok(Json(job.run(&mut |_| ()).await?).into_response()),
        MediaType::EventStream => Ok(stream::respond(job)),
    }
}

/// What the organization wants reviewers to know. Only models read it, so nobody asks for it without one.
async fn guidelines(state: &State, organization: OrganizationId) -> Result<Option<String>, Problem> {
    if !state.asks_models() {
        return Ok(None);
    }
    Ok(state.store().find_review_guidelines(organization).await?.map(|found| found.guidelines))
}

fn quota_exceeded(limit: Option<i64>, day: Date, now: UnixMillis) -> Problem {
    let detail = format!("The entitlement allows {} reviews a month, and they are used up.", limit.unwrap_or_default());
    Problem::new(Code::QuotaExceeded, detail).retry_after(seconds_to_next_month(day, now))
}

/// The day in UTC.
pub(crate) fn day_of(now: UnixMillis) -> Date {
    Timestamp::from_millisecond(now.0).unwrap_or_default().to_zoned(TimeZone::UTC).date()
}

/// Seconds until the quota starts anew: at the first instant of the next month in UTC.
fn seconds_to_next_month(day: Date, now: UnixMillis) -> u64 {
    let next = day.last_of_month().tomorrow().and_then(|first| first.to_zoned(TimeZone::UTC));
    let millis = next.map(|next| next.timestamp().as_millisecond() - now.0).unwrap_or_default();
    u64::try_from(millis).unwrap_or_default().div_ceil(1000)
}

#[cfg(test)]
mod tests {
    use store::UnixMillis;

    use super::{day_of, seconds_to_next_month};

    #[test]
    fn a_quota_starts_anew_with_the_month() {
        for (time, day, seconds) in [
            ("2026-11-20T12:00:00Z", "2026-11-20", 864_000 + 43_200),
            ("2026-12-31T23:59:59.500Z", "2026-12-31", 1),
            ("2028-02-28T00:00:00Z", "2028-02-28", 2 * 86_400),
        ] {
            let now = UnixMillis(time.parse::<jiff::Timestamp>().unwrap().as_millisecond());
            assert_eq!(day_of(now).to_string(), day);
            assert_eq!(seconds_to_next_month(day_of(now), now), seconds, "{time}");
        }
    }
}
