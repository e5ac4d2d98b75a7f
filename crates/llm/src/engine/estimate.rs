//! What a review will take, before the first call.
//!
//! It is planned like the review itself, so calls and prompts are those that will be made. Not yet known is what the rules
//! and the finders will say, which prompts quote: for that each prompt has some room. Not counted are calls that are made
//! again because an answer failed, broke off or could not be read; not deducted is what the cache knows already, and
//! what the budget of the review will not allow.

use review::{Chunk, Scope};

use super::batch_review::finders;
use super::model_engine::ModelEngine;
use super::price::Price;
use super::run::ModelRun;
use crate::model::Prompt;
use crate::prompt;
use crate::prompt_batch::PromptBatch;
use crate::settings::Effort;

/// Findings that a prompt has room for, and lines that each further one takes.
const FINDINGS: usize = 4;
const LINES_A_FINDING: usize = 20;
/// Bytes that a finding has in a prompt: its place and a sentence or two.
const FINDING_BYTES: usize = 180;

/// What a review will take at most when every call is answered at the first go.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Estimate {
    /// Calls, the verifier's among them.
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
        let review = self.run(scope, &|_| ());
        let mut estimate = Estimate::default();
        review.batches(chunks, &[]).iter().for_each(|batch| review.count(batch, &mut estimate));
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

impl ModelRun<'_> {
    fn count(&self, batch: &PromptBatch<'_>, estimate: &mut Estimate) {
        let room = self.output_room();
        let spare = (FINDINGS + batch.lines().count() / LINES_A_FINDING) * FINDING_BYTES;
        let mut add = |prompt: &Prompt, calls: usize| {
            let bytes = prompt.system.len() + prompt.user.len() + spare;
            estimate.calls += calls;
            estimate.prompt_tokens += self.shared.estimator.tokens(bytes) * calls as u64;
            estimate.completion_tokens += room * calls as u64;
        };
        add(&prompt::finder(batch, self.guidelines.as_ref(), room), finders(self.shared.effort));
        if self.shared.effort != Effort::Low {
            add(&prompt::verifier(batch, std::iter::empty(), room), 1);
        }
    }
}
