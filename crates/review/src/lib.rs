//! The review pipeline: from the text of a diff to anchored, ranked findings.
//!
//! Data flows one way: [`Diff::parse`] → [`classify`] → [`chunk`] → engines, in sequence → [`anchor`] → `merge` →
//! [`Review`]. This crate does no I/O, reads neither clock nor environment, and knows no async runtime: the [`Engine`]s and
//! the future that completes at the deadline are passed in.

pub mod anchor;
pub mod budget;
pub mod candidate;
pub mod chunk;
pub mod claim;
pub mod classify;
pub mod diff;
pub mod engine;
pub mod expand;
pub mod finding;
mod fingerprint;
pub mod language;
mod mask;
mod merge;
mod model_use;
mod opinion;
pub mod output;
mod pipeline;
mod repeats;
pub mod repository;
mod rule_id;
pub mod shortlist;
mod span;
mod suppression;
mod version;
pub mod visible;
pub mod warning;
mod whole_file;

pub use budget::{Budget, CallerGuard, MemoryPermit, Spent, review_bytes};
pub use candidate::{Candidate, LOWERED_IN_TEST_CODE, MAX_RELATED, Origin};
pub use chunk::{Around, Chunk, ChunkHunk, DiffContext, Hidden, MAX_WHOLE_FILE};
pub use classify::HiddenBy;
pub use diff::{
    Diff, DiffError, Extent, FileDiff, Hunk, Line, LineKind, OwnedDiff, Side, Status, Unread,
};
pub use engine::{
    ChunkStatus, DropCause, Dropped, DroppedFinding, Engine, Event, Filter, MAX_DESCRIPTION_CHARS,
    Report, Scope, Task, TokenUsage,
};
pub use finding::{Category, Finding, Priority, Reference, RelatedPlace};
pub use fingerprint::fingerprint;
pub use language::Language;
pub use language::lexical::Lexical;
pub use language::line_ends::{Also, Escapes, LineEnds};
pub use language::unicode_escapes::EscapeReader;
pub use mask::{FindingCode, TextMask};
pub use model_use::{LookUps, ModelUse, Recipient};
pub use opinion::Opinion;
pub use pipeline::{Failure, Options, Progress, Request, Review, review};
pub use rule_id::{HIDDEN_RULE, RuleId};
pub use shortlist::Shortlist;
pub use span::{Place, Replacement, Span, byte_offset};
pub use suppression::Suppression;
pub use version::{Version, Versions};
pub use warning::{Warning, WarningCode};
