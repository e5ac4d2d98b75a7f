//! What becomes of findings between the finders and the report: one stage, one file, and at the heart of each a pure function.
//!
//! [`dedupe`] keeps one of several that say the same, [`evidence`] tells what can be seen from what can not, [`selector`] takes the
//! few that the author must see, [`falsify`] lowers what a line of code contradicts, and [`confidence`] is computed from all of
//! that.

pub(crate) mod code;
pub(crate) mod confidence;
pub(crate) mod dedupe;
pub(crate) mod evidence;
pub(crate) mod falsify;
pub(crate) mod names;
pub(crate) mod ranking;
pub(crate) mod selector;
