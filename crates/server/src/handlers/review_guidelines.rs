//! Review guidelines of an organization.

pub(crate) mod remove;
pub(crate) mod set;
pub(crate) mod show;

use store::ReviewGuidelines;

use super::written;
use crate::context::Context;
use crate::wire::review_guidelines::ReviewGuidelinesBody;

/// The guidelines as seen by members.
fn body(context: &Context, found: Option<ReviewGuidelines>) -> ReviewGuidelinesBody {
    let (guidelines, updated_at) = found
        .map(|found| (found.guidelines, found.updated_at))
        .unzip();
    ReviewGuidelinesBody {
        request_id: context.request_id().to_owned(),
        guidelines,
        updated_at: updated_at.map(written),
    }
}
