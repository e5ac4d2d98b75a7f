//! An estimate of the cost of a review, before the first call.
//!
//! It counts the calls that the review will make: one for each batch. Their prompts quote the rules' findings, which
//! are not yet known, so some room is added for them. Repeated calls after failures and unreadable or incomplete
//! answers are not counted, nor are look-ups in the repository. Cached answers and the review's budget are not taken
//! into account.

use review::{Chunk, Scope};

use super::model_engine::ModelEngine;
use super::price::Price;
use crate::prompt;
use crate::prompt_batch::PromptBatch;

/// Findings that a prompt has room for, and lines per additional finding.
const FINDINGS: usize = 4;
const LINES_PER_FINDING: usize = 20;
/// Bytes of a finding in a prompt: its location and a sentence or two.
const FINDING_BYTES: usize = 180;

/// The maximum cost of a review if every call succeeds at the first attempt.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Calls.
    pub calls: usize,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received if every answer has its maximum length; most are far shorter.
    pub completion_tokens: u64,
    /// The price of these tokens with the first model, in the currency of the settings; `None` if it has no price.
    pub cost: Option<f64>,
}

impl ModelEngine {
    /// The estimate for a review of these chunks.
    #[must_use]
    pub fn estimate(&self, chunks: &[Chunk<'_>], scope: &Scope) -> Estimate {
        let review = self.run(scope, None, &|_| ());
        let mut estimate = Estimate::default();
        for batch in &review.batches(chunks, &[]) {
            let prompt = prompt::finder(batch, review.frame(None));
            let bytes = prompt.system.len() + prompt.user.len() + spare(batch);
            estimate.calls += 1;
            estimate.prompt_tokens += self.0.estimator.tokens(bytes);
            estimate.completion_tokens += prompt.max_output_tokens;
        }
        estimate.cost = self.cost(estimate.prompt_tokens, estimate.completion_tokens);
        estimate
    }

    /// The price of this many tokens with the first model; `None` if it has no price.
    #[must_use]
    pub fn cost(&self, prompt_tokens: u64, completion_tokens: u64) -> Option<f64> {
        let Price { input, output } = self.0.price?;
        Some((prompt_tokens as f64 * input + completion_tokens as f64 * output) / 1_000_000.0)
    }
}

/// Room for the quoted findings of a prompt.
fn spare(batch: &PromptBatch<'_>) -> usize {
    (FINDINGS + batch.lines().count() / LINES_PER_FINDING) * FINDING_BYTES
}
