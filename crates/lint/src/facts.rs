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

mod breaks;
mod by_name;
mod call_site;
mod called;
mod calls;
mod collect;
mod constructors;
mod former;
mod function_header;
mod impact;
mod implementors;
mod kept;
pub(crate) mod keys;
mod links;
mod members;
mod mention_index;
mod mentions;
mod model;
mod moved;
mod namesakes;
pub(crate) mod occurrences;
mod offer;
mod packed;
mod removed_names;
mod replacement;
mod report_filter;
mod results;
pub(crate) mod suppress;
mod surface;
mod type_ref;
mod type_surface;
mod unbound;

pub(crate) use breaks::BothSides;
pub use called::CalledMember;
pub use calls::{CallSite, ReceiverKind, Signature};
pub(crate) use collect::Collector;
pub use former::RenamedRules;
pub use impact::{
    Break, ByName, Cause, Implementor, Mention, MentionKind, Method, Named, NamedUse, Offer,
    Offered, Passing, ResultChange, Surrounding, Use,
};
pub(crate) use kept::{KeptFacts, Name, changed_names, has_old_side, retain_names};
pub use keys::{KeyChanges, KeyKind, LostKey, ReadKey, Renaming};
pub(crate) use links::Links;
pub(crate) use mention_index::is_word_char;
pub(crate) use mentions::mentions;
pub(crate) use model::hash;
pub use model::{ActiveRule, Definition, Facts, Ignored, Loss, RemovedBlock};
pub(crate) use moved::drop_moved;
pub(crate) use namesakes::is_changed;
pub use namesakes::{CallShape, Namesakes, Resolver};
pub(crate) use offer::offer;
pub use packed::PackedFacts;
pub(crate) use removed_names::drop_removed;
pub(crate) use replacement::Edits;
pub(crate) use report_filter::ReportFilter;
pub use suppress::suppression_comment;
pub(crate) use surface::surface;
pub(crate) use type_ref::{Home, TypeRef};
pub use type_surface::Surface;
pub(crate) use type_surface::TypeSurface;
pub(crate) use unbound::UnboundName;
pub use unbound::UnboundNames;
