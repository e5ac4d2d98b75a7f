//! What an engine is: something that reviews a planned change and reports what it believes is wrong.
//!
//! An [`Engine`] lives as long as the process. It gets the whole change of a review at once, as a [`Task`], divides the work
//! as it sees fit, and says what comes of it in [`Event`]s, as it goes. What was reported stands, whatever becomes of
//! the rest; dropping the review's future cancels the work.

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::candidate::Candidate;
use crate::chunk::Chunk;
use crate::finding::named;
use crate::warning::Warning;

/// Reviews changes.
pub trait Engine: Send + Sync {
    /// A short name for `metadata.engines`, for example `rules`.
    fn name(&self) -> &'static str;

    /// The language model it uses, if any, for `metadata.model`.
    fn model(&self) -> Option<&str> {
        None
    }

    /// Whether there is no review without it. Where one that is not required finishes nothing, the findings of the others
    /// are returned with a warning.
    fn is_required(&self) -> bool {
        true
    }

    /// Reviews a change. It reports a status of each chunk, and never panics because of what is in the change.
    ///
    /// Where the task's budget ends, by the deadline for example, it puts together what it has, drawing from
    /// [`Task::answer`], and returns. If it waits for something else instead, it is dropped.
    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()>;
}

/// What an engine is to review.
#[derive(Debug, Clone, Copy)]
pub struct Task<'a, 'd> {
    /// The change, in the order of the diff.
    pub chunks: &'a [Chunk<'d>],
    /// What the engines before it found, in the order of the diff.
    pub found: &'a [Candidate],
    /// For whom the review is.
    pub scope: &'a Scope,
    /// Candidates that are of use at most.
    pub max_candidates: usize,
    /// What the work may take.
    pub budget: &'a Budget,
    /// What putting the results together may take, whatever is left for the work.
    pub answer: &'a Budget,
}

/// For whom a review is, as far as an engine may know.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scope {
    /// Whose review it is: nothing that is kept between reviews may cross from one tenant to another.
    pub tenant: String,
    /// Language-model tokens that the review may use at most, beside what the engine's own settings allow.
    pub token_allowance: Option<u64>,
    /// What reviewers are to know of this code base, in the words of its owners.
    pub guidelines: Option<String>,
}

/// Takes what an engine reports.
pub trait Report: Send + Sync {
    /// Takes an event. Events of one chunk come in the order in which they happened; chunks may be under way side by side.
    fn report(&self, event: Event);
}

impl<F: Fn(Event) + Send + Sync> Report for F {
    fn report(&self, event: Event) {
        self(event);
    }
}

/// Something that happened in an engine's review.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// Work on a chunk began.
    Started {
        /// Index of the chunk.
        chunk: usize,
    },
    /// Work on a chunk ended. The first status of a chunk counts.
    Ended {
        /// Index of the chunk.
        chunk: usize,
        /// How it ended.
        status: ChunkStatus,
    },
    /// A defect was found.
    Found(Candidate),
    /// Something was left out.
    Warned {
        /// Index of the chunk that it is about; `None` where it is about several.
        chunk: Option<usize>,
        /// What was left out.
        warning: Warning,
    },
    /// Language-model tokens were used.
    Used(TokenUsage),
    /// Findings were dropped.
    Dropped(Dropped),
    /// Of what earlier engines found, this is less certain than it seemed.
    Doubted {
        /// Index in [`Task::found`].
        found: usize,
        /// The confidence that is left, from 0 to 1; a higher one than before changes nothing.
        confidence: f32,
    },
}

/// How work on a chunk ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChunkStatus {
    /// It was analysed, wholly or in part with a warning for the rest.
    Done,
    /// It was not analysed. The text says why, and where that is known what to do about it.
    Failed(String),
    /// It was not analysed in time.
    TimedOut,
    /// It was not analysed because the review's budget of language-model tokens is used up.
    OutOfTokens,
}

/// Findings that were dropped for one reason.
#[derive(Debug, Clone, PartialEq)]
pub struct Dropped {
    /// Why.
    pub cause: DropCause,
    /// How many.
    pub count: usize,
    /// What they said, as far as that is known: at most [`Dropped::count`] of them.
    pub findings: Vec<DroppedFinding>,
}

impl Dropped {
    /// Findings of which only the number is known.
    #[must_use]
    pub fn unnamed(cause: DropCause, count: usize) -> Self {
        Self { cause, count, findings: Vec::new() }
    }
}

/// A finding that was dropped.
#[derive(Debug, Clone, PartialEq)]
pub struct DroppedFinding {
    /// Path and line as far as they are known, for example `src/pay.py:42`.
    pub place: String,
    /// What it said.
    pub summary: String,
}

impl DroppedFinding {
    /// A candidate that was dropped; `path` is that of its file.
    #[must_use]
    pub fn of(candidate: &Candidate, path: &str) -> Self {
        Self { place: format!("{path}:{}", candidate.line), summary: candidate.summary.clone() }
    }
}

named! {
    "snake_case";
    /// Why a finding was dropped.
    DropCause {
        /// It is on no line of the diff.
        Unanchored,
        /// Its part of a model's answer could not be read.
        Unreadable,
        /// Another finding says the same of the same code.
        Duplicate,
        /// The verifier refuted it.
        Refuted,
        /// It is less certain than was asked for.
        LowConfidence,
        /// There are more important ones, and no room for more.
        Limit,
    }
}

/// Language-model tokens, as the provider reported them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct TokenUsage {
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received.
    pub completion_tokens: u64,
    /// Their sum.
    pub total_tokens: u64,
    /// Part of it had to be counted here because the provider did not say.
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

/// Watches what the engines report: to count it, or to withhold or change what the caller does not want.
pub trait Filter: Send + Sync {
    /// Takes an event of the engine of this name, before it counts; `None` withholds it.
    fn filter(&self, engine: &'static str, event: Event) -> Option<Event>;

    /// Called once when all engines are done: what was withheld.
    fn warnings(&self) -> Vec<Warning> {
        Vec::new()
    }
}
