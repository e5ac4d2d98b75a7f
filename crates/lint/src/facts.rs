//! What the files of a diff tell each other: the change model beyond one file.
//!
//! While a file is scanned, [`Collector`] notes what is defined, called, set and added in it, as plain data with bounds.
//! When all files are done, `conclude` puts it together without a parser: rules of the kind `Check::Diff` look at it name
//! by name, and a finding about something that was taken away is dropped if that stands among the added lines of another
//! file or if the diff withdraws what it belonged to.

mod collect;
mod function_header;
mod model;
mod moved;
mod namesakes;
mod report_filter;
mod spoken;
pub(crate) mod suppress;
mod withdrawn;

pub(crate) use collect::Collector;
pub(crate) use model::hash;
pub use model::{ActiveRule, CallSite, Constant, Definition, Facts, Loss, ReceiverKind, RemovedBlock, Signature};
pub(crate) use moved::drop_moved;
pub(crate) use namesakes::is_changed;
pub use namesakes::{Meant, Namesakes, Passed};
pub(crate) use report_filter::ReportFilter;
pub(crate) use withdrawn::drop_withdrawn;
