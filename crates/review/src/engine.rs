//! The engine interface: an engine reviews a planned change and reports possible defects.
//!
//! An [`Engine`] lives as long as the process. It receives the whole change of a review as a [`Task`], divides the work
//! as it sees fit, and reports [`Event`]s as it goes. Reported events remain valid whatever happens later. Dropping the
//! review's future cancels the work.
//!
//! The interface is one call for the whole change. So the rules can look at all files together, one prompt can contain ten small
//! files, and the events before the deadline are a partial result. Metrics, metering and the repository's configuration are
//! [`Filter`]s of events and not wrappers around engines.

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::candidate::Candidate;
use crate::chunk::Chunk;
use crate::diff::FileDiff;
use crate::finding::{Finding, named};
use crate::model_use::{ModelUse, Recipient};
use crate::opinion::Opinion;
use crate::repository::Repository;
use crate::warning::Warning;

/// Reviews changes.
pub trait Engine: Send + Sync {
    /// A short name for `metadata.engines`, for example `rules`.
    fn name(&self) -> &'static str;

    /// The language model it uses, if any, for `metadata.model`.
    fn model(&self) -> Option<&str> {
        None
    }

    /// The language models that it may send a change to, the preferred one first.
    fn recipients(&self) -> &[Recipient] {
        &[]
    }

    /// Whether a review requires it. If an optional engine finishes nothing, the findings of the others are returned
    /// with a warning.
    fn is_required(&self) -> bool {
        true
    }

    /// Reviews a change. It reports a status for each chunk and never panics on any input.
    ///
    /// When the task's budget ends, for example at the deadline, it composes its results so far, drawing from
    /// [`Task::answer`], and returns. If it waits for anything else, it is dropped.
    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()>;
}

/// The input of an engine.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a, 'd> {
    /// The change, in diff order.
    pub chunks: &'a [Chunk<'d>],
    /// All files of the change, also those without a chunk.
    pub files: &'a [FileDiff<'d>],
    /// The findings of earlier engines, in diff order.
    pub found: &'a [Candidate],
    /// The tenant of the review and its settings.
    pub scope: &'a Scope,
    /// The repository around the change, if the caller gave access to it.
    pub repository: Option<&'a dyn Repository>,
    /// The maximum number of useful candidates.
    pub max_candidates: usize,
    /// The budget of the work.
    pub budget: &'a Budget,
    /// The budget for composing the results, independent of the work's.
    pub answer: &'a Budget,
}

/// Maximum length of [`Scope::change_description`], in Unicode scalar values.
pub const MAX_DESCRIPTION_CHARS: usize = 4_000;

/// The tenant's settings that engines may know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// The tenant. State that is kept between reviews must not be shared between tenants.
    pub tenant: String,
    /// Maximum number of language model tokens for the review, in addition to the engine's own limits.
    pub token_allowance: Option<u64>,
    /// The owners' guidelines for reviewers of this code base.
    pub guidelines: Option<String>,
    /// The author's description of the change: data for a language model, never an instruction.
    pub change_description: Option<String>,
}

/// Receives an engine's events.
pub trait Report: Send + Sync {
    /// Takes an event. Events of one chunk arrive in order; chunks may be processed concurrently.
    fn report(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync> Report for F {
    fn report(&self, event: Event) {
        self(event);
    }
}

/// An event in an engine's review.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// A chunk was started.
    Started {
        /// Index of the chunk.
        chunk: usize,
    },
    /// A chunk was finished. Only the first status of a chunk counts.
    Ended {
        /// Index of the chunk.
        chunk: usize,
        /// Its outcome.
        status: ChunkStatus,
    },
    /// A defect was found.
    Found(Candidate),
    /// This many defects were found but not yet reported, because the rest of the change may refute them. The number
    /// replaces the previous one; it is only used for the progress.
    Held(usize),
    /// Something was skipped.
    Warned {
        /// Index of the chunk that it concerns; `None` for several.
        chunk: Option<usize>,
        /// The warning.
        warning: Warning,
    },
    /// Language model tokens were used.
    Used(TokenUsage),
    /// Something was sent to a language model or looked up for it, in addition to what was reported before.
    Sent(Box<ModelUse>),
    /// Findings were dropped.
    Dropped(Dropped),
    /// The engine has an opinion on a finding of an earlier engine. Only the first one on a finding counts.
    Judged {
        /// The index of the finding in [`Task::found`].
        found: usize,
        /// The opinion.
        opinion: Opinion,
    },
}

/// The outcome of a chunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkStatus {
    /// Analysed, possibly in part with a warning for the rest.
    Done,
    /// Not analysed. The text is the reason and, if known, what to do about it.
    Failed(String),
    /// Timed out.
    TimedOut,
    /// Not analysed because the review's budget of language model tokens is used up.
    OutOfTokens,
}

/// Findings dropped for one reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// The reason.
    pub cause: DropCause,
    /// The number of findings.
    pub count: usize,
    /// The findings that are known, at most [`Dropped::count`].
    pub findings: Vec<DroppedFinding>,
}

impl Dropped {
    /// Dropped findings of which only the number is known.
    #[must_use]
    pub fn unnamed(cause: DropCause, count: usize) -> Self {
        Self {
            cause,
            count,
            findings: Vec::new(),
        }
    }
}

/// A dropped finding.
#[derive(Debug, Clone, PartialEq)]
pub struct DroppedFinding {
    /// Path and line if known, for example `src/pay.py:42`.
    pub place: String,
    /// The summary.
    pub summary: String,
}

impl DroppedFinding {
    /// Creates it from a candidate; `path` is that of its file.
    #[must_use]
    pub fn of(candidate: &Candidate, path: &str) -> Self {
        Self {
            place: format!("{path}:{}", candidate.line),
            summary: candidate.summary.clone(),
        }
    }
}

named! {
    "snake_case";
    /// The reason why a finding was dropped.
    DropCause {
        /// Not on a line of the diff.
        Unanchored,
        /// Unreadable in the model's answer.
        Unreadable,
        /// A duplicate of another finding.
        Duplicate,
        /// Refuted by the language model on a second look.
        Refuted,
        /// Below the requested confidence.
        LowConfidence,
        /// Beyond the limit on findings.
        Limit,
    }
}

/// Language model tokens as reported by the provider.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenUsage {
    /// Input tokens.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub prompt_tokens: u64,
    /// Output tokens.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub completion_tokens: u64,
    /// Their sum.
    #[cfg_attr(feature = "openapi", schema(example = 0))]
    pub total_tokens: u64,
    /// Part of it was estimated because the provider did not report it.
    #[cfg_attr(feature = "openapi", schema(example = false))]
    pub estimated: bool,
}

impl std::ops::AddAssign for TokenUsage {
    fn add_assign(&mut self, other: Self) {
        self.prompt_tokens += other.prompt_tokens;
        self.completion_tokens += other.completion_tokens;
        self.total_tokens += other.total_tokens;
        self.estimated |= other.estimated;
    }
}

/// Observes the engines' events, to count, withhold or change them.
pub trait Filter: Send + Sync {
    /// Handles an event of the named engine before it counts; `None` withholds it.
    fn filter(&self, engine: &'static str, event: Event) -> Option<Event>;

    /// Receives the findings so far, placed and merged as in an answer. Called before each engine but the first, if there are
    /// any. Later engines may add findings, and may change the confidence of these.
    fn placed(&self, _findings: &[Finding]) {}

    /// Called once after all engines have finished: warnings about withheld events.
    fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
}
