//! Facts that the files of a diff exchange: the change model across files.
//!
//! While a file is scanned, [`Collector`] records its definitions, calls and added lines as plain, bounded data. Facts
//! are kept as bytes ([`KeptFacts`]), and only if they can matter to other files. When all files are done, `conclude`
//! combines the facts without a parser. Rules with `Check::Diff` examine them name by name. A finding about removed
//! code is dropped if the code is among the added lines of another file, or if the diff also removes the definition
//! that it depended on.
//!
//! Facts are exchanged instead of code: no parser is needed outside a worker, a lost worker costs only the facts of its own file, and the
//! order of the files cannot matter.

mod collect;
mod former;
mod kept;
mod linked;
mod mention_index;
mod model;
mod moved;
mod namesakes;
mod packed;
mod removed_names;
mod report_filter;
pub(crate) mod suppress;

pub(crate) use collect::Collector;
pub use former::RenamedRules;
pub(crate) use kept::{KeptFacts, Name, changed_names, has_old_side, retain_names};
pub(crate) use linked::Linked;
pub use model::{ActiveRule, Definition, Facts, Ignored, Loss, RemovedBlock};
pub(crate) use moved::drop_moved;
pub(crate) use namesakes::is_changed;
pub use namesakes::{CallShape, Namesakes, Resolver};
pub use packed::PackedFacts;
pub(crate) use removed_names::drop_removed;
pub(crate) use report_filter::ReportFilter;
pub use suppress::suppression_comment;
