//! What the files of a diff tell each other: the change model beyond one file.
//!
//! While a file is scanned, [`Collector`] notes what is defined, called, set and added in it, as plain data with bounds.
//! When all files are done, [`conclude`] puts it together without a parser: rules of the kind `Check::Diff` look at all of
//! it, and a finding about something that was taken away is dropped if that stands among the added lines of another file.

mod collect;
mod conclude;
mod head;
mod moved;

pub(crate) use collect::Collector;
pub use conclude::{DiffContext, DiffSink, conclude};
