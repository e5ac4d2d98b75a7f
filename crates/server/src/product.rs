//! The products that members are entitled to.

/// The product that a member must be entitled to for reviews.
pub(crate) const DIFF_REVIEW: &str = "diff-review";
