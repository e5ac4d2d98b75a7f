//! The stages between the finder and the report. Each is a pure function in its own file.
//!
//! [`evidence`] marks candidates that depend on code outside the change, [`dedupe`] removes duplicates, [`quota`] picks
//! the few that keep their priority, and [`confidence`] is computed from the result.

pub(crate) mod confidence;
pub(crate) mod dedupe;
pub(crate) mod evidence;
pub(crate) mod names;
pub(crate) mod quota;
