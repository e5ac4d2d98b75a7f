//! The review pipeline: from the text of a diff to anchored, ranked findings.
//!
//! Data flows one way: [`Diff::parse`] → [`classify`] → [`chunk`] → engines, one after the other → their conclusions →
//! [`anchor`] → [`merge`] → [`Review`]. This crate does no I/O, reads no clock and no environment, and knows no async runtime: an
//! [`Engine`] is handed in, and so is the future that says when time is up.

pub mod anchor;
pub mod chunk;
pub mod classify;
pub mod diff;
pub mod engine;
pub mod facts;
pub mod finding;
pub mod language;
pub mod merge;
pub mod output;
mod pipeline;
pub mod warning;

pub use chunk::{Chunk, ChunkFile, ChunkHunk};
pub use diff::{Diff, DiffError, FileDiff, Hunk, Line, LineKind, OwnedDiff, Side, Status};
pub use engine::{Candidate, Conclusion, Engine, EngineAround, Outcome, OutcomeStatus, Scope, TokenUsage};
pub use facts::Facts;
pub use finding::{Category, Finding, Priority};
pub use language::Language;
pub use pipeline::{Failure, Options, Progress, Review, review};
pub use warning::{Warning, WarningCode};
