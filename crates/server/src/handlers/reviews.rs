//! Reviews.

pub(crate) mod diff_sync;
pub(crate) mod pull_requests;
