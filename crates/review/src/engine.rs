//! What an engine is: something that looks at a chunk and says what it believes is wrong.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use serde::{Deserialize, Serialize};

use crate::chunk::Chunk;
use crate::diff::Side;
use crate::facts::Facts;
use crate::finding::{Category, Priority};
use crate::warning::Warning;

/// Looks at one chunk at a time. Dropping the returned future cancels the work.
pub trait Engine: Send + Sync {
    /// A short name for `metadata.engines`, for example `rules`.
    fn name(&self) -> &'static str;

    /// The language model it uses, if any, for `metadata.model`.
    fn model(&self) -> Option<&str> {
        None
    }

    /// How many chunks of one review it wants at once.
    fn concurrency(&self) -> usize {
        4
    }

    /// The engine for one review, if it keeps something for each: a budget, say. `None`: this one serves all.
    fn for_review(&self, scope: &Scope) -> Option<Arc<dyn Engine>> {
        let _ = scope;
        None
    }

    /// Sees all chunks before the first is analysed, and says what it will leave out.
    fn prepare(&self, chunks: &[Chunk<'_>]) -> Vec<Warning> {
        let _ = chunks;
        Vec::new()
    }

    /// Analyses one chunk. `hints` is what the engines before it believe of the same chunk. Trouble is part of the
    /// outcome, never a panic.
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome>;

    /// Looks at what it learnt of all chunks together, when they are done or time is up. It gets the facts and the
    /// candidates of its own outcomes in the order of the diff, whichever came first, and gives the candidates that
    /// remain and those that only the whole diff shows. It parses nothing, so it may run in this process.
    fn conclude(&self, facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
        drop(facts);
        Conclusion { candidates, warnings: Vec::new() }
    }
}

/// An engine around another one: in all that it does not say here, it is the one inside.
pub trait EngineAround: Send + Sync {
    /// The engine inside.
    fn inside(&self) -> &dyn Engine;

    /// The same around the engine that the one inside has for one review.
    fn around(&self, engine: Arc<dyn Engine>) -> Arc<dyn Engine>;

    /// See [`Engine::analyse`].
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        self.inside().analyse(chunk, hints)
    }

    /// See [`Engine::conclude`].
    fn conclude(&self, facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
        self.inside().conclude(facts, candidates)
    }
}

impl<E: EngineAround> Engine for E {
    fn name(&self) -> &'static str {
        self.inside().name()
    }

    fn model(&self) -> Option<&str> {
        self.inside().model()
    }

    fn concurrency(&self) -> usize {
        self.inside().concurrency()
    }

    fn for_review(&self, scope: &Scope) -> Option<Arc<dyn Engine>> {
        Some(self.around(self.inside().for_review(scope)?))
    }

    fn prepare(&self, chunks: &[Chunk<'_>]) -> Vec<Warning> {
        self.inside().prepare(chunks)
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        EngineAround::analyse(self, chunk, hints)
    }

    fn conclude(&self, facts: Vec<Facts>, candidates: Vec<Candidate>) -> Conclusion {
        EngineAround::conclude(self, facts, candidates)
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
    /// What it learnt that matters to other files, for [`Engine::conclude`].
    pub facts: Vec<Facts>,
    /// Which of the hints it could refute, by their index: they are no longer believed.
    pub refuted: Vec<usize>,
    /// How many defects it spoke of that are on no line of the chunk.
    pub unplaced: usize,
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

/// What an engine believes to be a defect. It becomes a [`crate::Finding`] only when it can be anchored.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Index of the file in the diff.
    pub file: usize,
    /// The side that `line` counts on.
    pub side: Side,
    /// Line number on that side, from 1.
    pub line: u32,
    /// The rule that reports it; `None` for a language model.
    pub rule_id: Option<String>,
    /// How much it matters.
    pub priority: Priority,
    /// What kind of defect it is.
    pub category: Category,
    /// What is wrong, in a sentence or two.
    pub summary: String,
    /// What to do about it.
    pub suggested_fix: Option<String>,
    /// 0 to 1.
    pub confidence: f32,
    /// Name of the enclosing function or class where it is known: part of the fingerprint.
    pub scope: Option<String>,
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
