//! What an engine is: something that looks at the chunks of a review and says what it believes is wrong.
//!
//! An [`Engine`] lives as long as the process. For each review it starts a [`Run`], which holds what it keeps for that review
//! alone: a budget of tokens, what the files told each other.

use std::future::ready;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::budget::Budget;
use crate::candidate::Candidate;
use crate::chunk::Chunk;
use crate::warning::Warning;

/// Starts runs, one for each review.
pub trait Engine: Send + Sync {
    /// A short name for `metadata.engines`, for example `rules`.
    fn name(&self) -> &'static str;

    /// The language model it uses, if any, for `metadata.model`.
    fn model(&self) -> Option<&str> {
        None
    }

    /// Starts on a review. What the run keeps until its end is held against `budget`.
    fn start(&self, scope: &Scope, budget: &Budget) -> Box<dyn Run>;
}

/// An engine's work on one review.
pub trait Run: Send + Sync {
    /// How many chunks it wants at once.
    fn concurrency(&self) -> usize {
        4
    }

    /// Whether it looks at each file for itself. The files of a chunk then come one by one, so that one that fails, or
    /// is not finished in time, costs no other.
    fn one_by_one(&self) -> bool {
        false
    }

    /// Analyses one chunk. `hints` is what the engines before it believe of the same chunk. Trouble is part of the
    /// outcome, never a panic. Dropping the returned future cancels the work.
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome>;

    /// Looks at all chunks together, when they are done or time is up. It gets the candidates of its own outcomes in the
    /// order of the diff, whichever came first, and returns those that remain and those that only the whole diff shows.
    /// It draws what it does from the budget of the answer, and where that ends it says what it did not do.
    fn finish<'a>(&'a self, candidates: Vec<Candidate>, budget: &'a Budget) -> BoxFuture<'a, Conclusion> {
        let _ = budget;
        Box::pin(ready(Conclusion { candidates, ..Conclusion::default() }))
    }
}

/// An engine whose runs are wrapped, each as it starts.
pub struct Wrapped<W> {
    engine: Arc<dyn Engine>,
    wrap: W,
}

impl<W: Fn(Box<dyn Run>) -> Box<dyn Run> + Send + Sync> Wrapped<W> {
    /// This engine, with `wrap` around its runs.
    pub fn new(engine: Arc<dyn Engine>, wrap: W) -> Self {
        Self { engine, wrap }
    }
}

impl<W: Fn(Box<dyn Run>) -> Box<dyn Run> + Send + Sync> Engine for Wrapped<W> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn model(&self) -> Option<&str> {
        self.engine.model()
    }

    fn start(&self, scope: &Scope, budget: &Budget) -> Box<dyn Run> {
        (self.wrap)(self.engine.start(scope, budget))
    }
}

/// A run around another one: in all that it does not say here, it is the one inside.
pub trait RunAround: Send + Sync {
    /// The run inside.
    fn inside(&self) -> &dyn Run;

    /// See [`Run::analyse`].
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        self.inside().analyse(chunk, hints)
    }

    /// See [`Run::finish`].
    fn finish<'a>(&'a self, candidates: Vec<Candidate>, budget: &'a Budget) -> BoxFuture<'a, Conclusion> {
        self.inside().finish(candidates, budget)
    }
}

impl<R: RunAround> Run for R {
    fn concurrency(&self) -> usize {
        self.inside().concurrency()
    }

    fn one_by_one(&self) -> bool {
        self.inside().one_by_one()
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        RunAround::analyse(self, chunk, hints)
    }

    fn finish<'a>(&'a self, candidates: Vec<Candidate>, budget: &'a Budget) -> BoxFuture<'a, Conclusion> {
        RunAround::finish(self, candidates, budget)
    }
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

/// What an engine made of all chunks together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conclusion {
    /// What it still believes is wrong, and what it only now knows.
    pub candidates: Vec<Candidate>,
    /// What it left out.
    pub warnings: Vec<Warning>,
    /// How many findings of lower rank it did not keep, since there are so many.
    pub cut: usize,
}

/// What an engine made of a chunk.
#[derive(Debug, Clone, Default)]
pub struct Outcome {
    /// Whether the chunk was analysed.
    pub status: OutcomeStatus,
    /// What it believes is wrong, not yet placed on the diff.
    pub candidates: Vec<Candidate>,
    /// What it left out.
    pub warnings: Vec<Warning>,
    /// Which of the hints it could refute, by their index: they are no longer believed.
    pub refuted: Vec<usize>,
    /// How many defects it spoke of that are on no line of the chunk.
    pub unanchored: usize,
    /// Language-model tokens it used.
    pub usage: TokenUsage,
}

/// Whether a chunk was analysed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutcomeStatus {
    /// Wholly, or in part with a warning for the rest.
    #[default]
    Done,
    /// Not at all.
    Failed,
    /// Not in time.
    TimedOut,
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
