//! What happens to candidates between the finder and the report. Each stage is a pure function in a file of its own.
//!
//! [`evidence`] marks candidates that rest on code outside the change, [`dedupe`] keeps one of several that say the same,
//! [`quota`] picks the few that keep their priority, and [`confidence`] is computed from the result.

pub(crate) mod confidence;
pub(crate) mod dedupe;
pub(crate) mod evidence;
pub(crate) mod names;
pub(crate) mod quota;
