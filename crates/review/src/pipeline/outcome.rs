//! What a review is asked for, and what comes of it.

use crate::budget::Spent;
use crate::chunk::Sizes;
use crate::engine::{Dropped, Scope, TokenUsage};
use crate::finding::Finding;
use crate::warning::Warning;

/// What a caller may choose.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Findings in one answer at most; what is beyond is cut with a warning.
    pub max_findings: usize,
    /// Findings below this confidence (0 to 1) are not wanted.
    pub min_confidence: f32,
    /// How large chunks and lines may be.
    pub sizes: Sizes,
    /// For whom the review is.
    pub scope: Scope,
}

/// Candidates that are kept for each finding that may be returned: some are refuted, moved or merged yet.
const SPARE: usize = 8;

impl Options {
    /// Candidates that are kept at most.
    pub(super) fn max_candidates(&self) -> usize {
        self.max_findings.saturating_mul(SPARE)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { max_findings: 500, min_confidence: 0.0, sizes: Sizes::default(), scope: Scope::default() }
    }
}

/// The result of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// One per defect, the most important first.
    pub findings: Vec<Finding>,
    /// What was left out or could not be done.
    pub warnings: Vec<Warning>,
    /// Findings that were dropped, by cause: how many, and some of them by name.
    pub dropped: Vec<Dropped>,
    /// Chunks that at least one engine analysed.
    pub chunks_analyzed: usize,
    /// Language-model tokens used.
    pub usage: TokenUsage,
    /// Names of the engines that ran.
    pub engines: Vec<&'static str>,
    /// The language model, if one ran.
    pub model: Option<String>,
}

/// How far a review is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Chunks finished, counted once per engine.
    pub chunks_done: usize,
    /// Chunks in all, counted once per engine.
    pub chunks_total: usize,
    /// Candidates so far, before anchoring and merging.
    pub findings: usize,
}

/// Why there is no review at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A required engine failed on every chunk. The text says why, and quotes nothing of the diff.
    #[error("the analysis failed on every part of the diff: {0}")]
    Failed(String),
    /// A required engine finished no chunk in time.
    #[error("the analysis did not complete in the time allowed")]
    TimedOut,
}

impl Failure {
    /// Of a budget that ended.
    pub(super) fn of(why: Spent) -> Self {
        match why {
            Spent::Steps | Spent::Bytes => Self::Failed(why.to_string()),
            Spent::Time | Spent::Caller => Self::TimedOut,
        }
    }

    /// Why, as a clause.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Failed(reason) => reason.clone(),
            Self::TimedOut => Spent::Time.to_string(),
        }
    }
}
