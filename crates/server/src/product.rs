//! The products that members are entitled to.

/// The product that a reviewing member must be entitled to.
pub(crate) const DIFF_REVIEW: &str = "diff-review";
