//! An estimate of the cost of a review, before the first call.
//!
//! It counts the calls that the review may make: two for each batch, of which the second is only made if the first finds
//! candidates. Their prompts quote the rules' findings and the candidates, which are not yet known, so some room is added
//! for them. Repeated calls after failures and unreadable or incomplete answers are not counted, nor are look-ups in the
//! repository. Cached answers and the review's budget are not taken into account.

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
/// Bytes of a candidate in the second turn.
const CANDIDATE_BYTES: usize = 400;

/// The maximum cost of a review without look-ups if every call succeeds at the first attempt.
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
            let prompt = prompt::finder(batch, review.frame());
            let bytes = prompt.bytes() + findings(batch) * FINDING_BYTES;
            estimate.add(self.0.estimator.tokens(bytes), prompt.max_output_tokens);
            if prompt::has_second_turn(self.0.model.window().context) {
                let second = prompt::decide(&prompt, String::new(), true, 0);
                let added = second.bytes() - prompt.bytes() + findings(batch) * CANDIDATE_BYTES;
                let tokens = self.0.estimator.tokens(bytes + added);
                estimate.add(tokens, prompt.max_output_tokens);
            }
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

impl Estimate {
    /// Adds a call.
    fn add(&mut self, prompt_tokens: u64, completion_tokens: u64) {
        self.calls += 1;
        self.prompt_tokens += prompt_tokens;
        self.completion_tokens += completion_tokens;
    }
}

/// How many findings a prompt has room for.
fn findings(batch: &PromptBatch<'_>) -> usize {
    FINDINGS + batch.lines().count() / LINES_PER_FINDING
}
