//! Review guidelines of an organization.

pub(crate) mod remove;
pub(crate) mod set;
pub(crate) mod show;

use jiff::Timestamp;
use store::ReviewGuidelines;

use crate::context::Context;
use crate::wire::review_guidelines::ReviewGuidelinesBody;

/// The guidelines as members see them.
fn body(context: &Context, found: Option<ReviewGuidelines>) -> ReviewGuidelinesBody {
    let (guidelines, updated_at) = found.map(|found| (found.guidelines, found.updated_at)).unzip();
    let updated_at = updated_at.map(|time| Timestamp::from_millisecond(time.0).unwrap_or_default().to_string());
    ReviewGuidelinesBody { request_id: context.request_id().to_owned(), guidelines, updated_at }
}
