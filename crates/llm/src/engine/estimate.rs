//! What a review will take, before the first call.
//!
//! The calls are those that the review will make: one for each batch. Their prompts quote what the rules find, which is not yet
//! known, so each has some room for it. Not counted are calls that are repeated because an answer failed, broke off or could not
//! be read, and for look-ups in the repository. Answers in the cache and the review's budget are not taken into account.

use review::{Chunk, Scope};

use super::model_engine::ModelEngine;
use super::price::Price;
use crate::prompt;
use crate::prompt_batch::PromptBatch;

/// Findings that a prompt has room for, and lines that each further one takes.
const FINDINGS: usize = 4;
const LINES_A_FINDING: usize = 20;
/// Bytes that a finding has in a prompt: its place and a sentence or two.
const FINDING_BYTES: usize = 180;

/// What a review will take at most when every call is answered at the first go.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Calls.
    pub calls: usize,
    /// Tokens sent.
    pub prompt_tokens: u64,
    /// Tokens received if every answer is as long as it may be: most are far shorter.
    pub completion_tokens: u64,
    /// The price of these tokens at the first model, in the currency of the settings; `None` when they have no price.
    pub cost: Option<f64>,
}

impl ModelEngine {
    /// What a review of these chunks will take.
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

    /// What so many tokens cost at the first model; `None` when it has no price.
    #[must_use]
    pub fn cost(&self, prompt_tokens: u64, completion_tokens: u64) -> Option<f64> {
        let Price { input, output } = self.0.price?;
        Some((prompt_tokens as f64 * input + completion_tokens as f64 * output) / 1_000_000.0)
    }
}

/// Room for the findings that a prompt quotes.
fn spare(batch: &PromptBatch<'_>) -> usize {
    (FINDINGS + batch.lines().count() / LINES_A_FINDING) * FINDING_BYTES
}
