//! The options and the result of a review.

use crate::budget::Spent;
use crate::chunk::Sizes;
use crate::engine::{Dropped, Scope, TokenUsage};
use crate::finding::Finding;
use crate::model_use::ModelUse;
use crate::warning::Warning;

/// The caller's options.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Maximum number of findings; more are dropped with a warning.
    pub max_findings: usize,
    /// Findings below this confidence (0 to 1) are dropped.
    pub min_confidence: f32,
    /// Size limits of chunks and lines.
    pub sizes: Sizes,
    /// The tenant of the review and its settings.
    pub scope: Scope,
}

/// Candidates kept per returned finding, because some will be refuted, unanchored or merged.
const SPARE: usize = 8;

impl Options {
    /// Maximum number of candidates to keep.
    pub(super) fn max_candidates(&self) -> usize {
        self.max_findings.saturating_mul(SPARE)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_findings: 500,
            min_confidence: 0.0,
            sizes: Sizes::default(),
            scope: Scope::default(),
        }
    }
}

/// The result of a review.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// One per defect, most important first.
    pub findings: Vec<Finding>,
    /// Findings that are suppressed by comments of the change, most important first.
    pub suppressed: Vec<Finding>,
    /// Warnings about parts that were skipped or failed.
    pub warnings: Vec<Warning>,
    /// Dropped findings by cause: their number, and some of them in detail.
    pub dropped: Vec<Dropped>,
    /// Chunks that at least one engine analysed.
    pub chunks_analyzed: usize,
    /// Chunks that a language model analysed.
    pub chunks_by_model: usize,
    /// Paths of the files that were reviewed as test code, in diff order.
    pub test_files: Vec<String>,
    /// Language model tokens used.
    pub usage: TokenUsage,
    /// Names of the engines that ran.
    pub engines: Vec<&'static str>,
    /// The language model, if one ran.
    pub model: Option<String>,
    /// The use of the language model.
    pub model_use: Option<ModelUse>,
}

/// The progress of a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Finished chunks, counted once per engine.
    pub chunks_done: usize,
    /// All chunks, counted once per engine.
    pub chunks_total: usize,
    /// Findings so far. The review may report fewer: duplicates are merged, and the rest of the change may refute
    /// others.
    pub findings: usize,
}

/// The reason why a review failed as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// A required engine failed on every chunk. The text states the reason, without quoting the diff.
    #[error("the analysis failed on every part of the diff: {0}")]
    Failed(String),
    /// A required engine finished no chunk in time.
    #[error("the analysis did not complete in the time allowed")]
    TimedOut,
}

impl Failure {
    /// The failure for the reason why the budget ended.
    pub(super) fn of(why: Spent) -> Self {
        match why {
            Spent::Steps | Spent::Bytes => Self::Failed(why.to_string()),
            Spent::Time | Spent::Caller => Self::TimedOut,
        }
    }

    /// The reason, as a clause.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Failed(reason) => reason.clone(),
            Self::TimedOut => Spent::Time.to_string(),
        }
    }
}
