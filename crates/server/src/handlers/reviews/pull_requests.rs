//! Reviews of pull requests: planned and not available yet. The operations only check the caller.

use crate::error::{Code, Problem};
use crate::extract::{Call, Member, ReviewsWrite, Unread};
use crate::refusals::problems;

problems!(EVERY, V1, MEMBER; InDevelopment);

/// Review a pull request (in development)
///
/// In development: members get 501.
#[utoipa::path(
    post,
    path = "/v1/organizations/{organizationId}/reviews/pull-requests",
    operation_id = "createPullRequestReview",
    tag = "Pull requests (in development)",
    security(("bearer" = ["reviews:write"])),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses(Problems)
)]
pub(crate) async fn create(call: Call<Member<ReviewsWrite>, Unread>) -> Problem {
    in_development(&call)
}

/// List the reviews of pull requests (in development)
///
/// In development: members get 501.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/reviews/pull-requests",
    operation_id = "listPullRequestReviews",
    tag = "Pull requests (in development)",
    security(("bearer" = ["reviews:write"])),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    responses(Problems)
)]
pub(crate) async fn list(call: Call<Member<ReviewsWrite>, Unread>) -> Problem {
    in_development(&call)
}

/// Show the review of a pull request (in development)
///
/// In development: members get 501.
#[utoipa::path(
    get,
    path = "/v1/organizations/{organizationId}/reviews/pull-requests/{reviewId}",
    operation_id = "getPullRequestReview",
    tag = "Pull requests (in development)",
    security(("bearer" = ["reviews:write"])),
    params(
        ("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd"),
        ("reviewId" = String, Path, description = "The review", example = "rev_01kafwz8g0e2hvr6s9q4n7x3cd"),
    ),
    responses(Problems)
)]
pub(crate) async fn show(call: Call<Member<ReviewsWrite>, Unread>) -> Problem {
    in_development(&call)
}

fn in_development(_call: &Call<Member<ReviewsWrite>, Unread>) -> Problem {
    Problem::new(
        Code::InDevelopment,
        "Reviews of pull requests are in development.",
    )
}
