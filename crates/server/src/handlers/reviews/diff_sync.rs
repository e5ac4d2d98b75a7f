//! POST /v1/organizations/{organizationId}/reviews/diff/sync

mod admission;
mod allowance;
mod context;
mod input;
mod job;
mod meter;
mod reservation;
mod stream;

use axum::Json;
use axum::extract::State as Shared;
use axum::response::{IntoResponse, Response};
use review::output::json::ReviewBody;

use crate::State;
use crate::error::Problem;
use crate::extract::{Call, Entitled, MediaType, ReviewsWrite};
use crate::metrics::ReviewTimer;
use crate::refusals::problems;
use crate::wire::review::ReviewRequestBody;
use admission::Admission;
pub(crate) use admission::{day_of, next_month};
pub(crate) use context::Changed;
pub(crate) use input::{ReviewInput, target_language};
pub(crate) use job::Job;
pub(crate) use stream::{ApiEvents, Events, ReviewStream, respond};

problems!(EVERY, V1, MEMBER, BODY; EntitlementRequired, TooManyReviews, QuotaExceeded, AnalysisFailed, AnalysisTimeout);

/// Review a diff and wait for the answer
///
/// Checked in this order: authentication and scope (`reviews:write`), access to the organization, shape of the request,
/// payload limits, entitlement to `diff-review`, rate limit, concurrent reviews, monthly quota. The diff is not stored.
///
/// With `Accept: text/event-stream` the answer is a stream of server-sent events: `progress` (a `ReviewProgress`), any
/// number of times, if a language model is used `findings` (a `ReviewFindings`: the rules' findings) before it answers,
/// then one `review` (the body of the JSON answer) or one `error` (a `Problem`: `ANALYSIS_FAILED`, `ANALYSIS_TIMEOUT`
/// or `INTERNAL`). `findings` of a `progress` counts what was found so far; the review may report fewer, because
/// duplicates are merged and the rest of the change may refute some. A compressed stream (`Accept-Encoding`) is flushed
/// after each event. A comment line every 15 seconds keeps proxies from closing the wait. Refusals before the analysis
/// are plain HTTP errors.
#[utoipa::path(
    post,
    path = "/v1/organizations/{organizationId}/reviews/diff/sync",
    operation_id = "reviewDiff",
    tag = "Reviews",
    security(("bearer" = ["reviews:write"])),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    request_body = ReviewRequestBody,
    responses(
        (status = 200, description = "The review", content((ReviewBody = "application/json"), (String = "text/event-stream", example = "event: progress\ndata: {\"chunksDone\":3,\"chunksTotal\":8,\"findings\":2}\n\nevent: review\ndata: {…}\n\n"))),
        Problems
    )
)]
pub(crate) async fn review_diff(
    Shared(state): Shared<State>,
    call: Call<Entitled<ReviewsWrite>, ReviewInput>,
) -> Result<Response, Problem> {
    let answer = call.answer;
    let job = admit(state, call).await?;
    match answer {
        MediaType::Json => Ok(Json(job.run(&mut |_| (), |body, _| body).await?).into_response()),
        MediaType::EventStream => Ok(stream::respond(job, |body, _| body, ApiEvents::new())),
    }
}

/// Admits a review: reserves its slot and memory, counts it, and reads the organization's guidelines.
///
/// # Errors
/// Those of [`Admission`], and those of the database.
pub(crate) async fn admit(
    state: State,
    call: Call<Entitled<ReviewsWrite>, ReviewInput>,
) -> Result<Job, Problem> {
    let member = &call.principal.member;
    let (organization, user) = (member.membership.organization.id, member.caller.user);
    let limit = call.principal.monthly_review_limit();
    let admission = Admission::of(
        &state,
        &call.context,
        organization,
        user,
        call.input.review_bytes(),
        limit,
    )
    .await?;
    // Only models use the guidelines, so they are not read without one.
    let guidelines = if state.asks_models() {
        state.store().find_review_guidelines(organization).await?
    } else {
        None
    };
    let guidelines = guidelines.map(|found| found.guidelines);
    let in_flight = ReviewTimer::begin(state.metrics().reviews());
    let (context, input) = (call.context, call.input);
    Ok(Job {
        state,
        context,
        admission,
        guidelines,
        input,
        organization,
        in_flight,
        early: None,
    })
}
