//! What a review will take, before the first call.
//!
//! It is planned like the review itself, so calls and prompts are those that will be made. Not yet known is what the rules
//! and the finders will say, which prompts quote: for that each prompt has some room. Not counted are calls that are made
//! again because an answer failed, broke off or could not be read; not deducted is what the cache knows already, and
//! what the budget of the review will not allow.

use review::{Chunk, Scope};

use super::model_engine::ModelEngine;
use super::price::Price;
use super::run::ModelRun;
use crate::model::Prompt;
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
    /// Calls, the selector's and the check's among them.
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
        review.count(&review.batches(chunks, &[]), &mut estimate);
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
    fn count(&self, batches: &[PromptBatch<'_>], estimate: &mut Estimate) {
        for batch in batches {
            let finders: Vec<Prompt> = (0..self.finders()).map(|at| prompt::finder(batch, self.frame(), at)).collect();
            finders.iter().for_each(|prompt| self.add(prompt, spare(batch), estimate));
        }
        if let Some(largest) = batches.iter().max_by_key(|batch| batch.bytes()) {
            // Of a change in several batches it is shown as much as one batch may have.
            let all = batches.iter().map(spare).sum();
            if self.shared.effort.has_selector() {
                self.add(&prompt::selector(largest, &[], 1, self.frame()), all, estimate);
            }
            if self.shared.effort.has_check() {
                self.add(&prompt::falsify(largest, &[], self.frame()), all, estimate);
            }
        }
    }

    fn add(&self, prompt: &Prompt, spare: usize, estimate: &mut Estimate) {
        let bytes = prompt.system.len() + prompt.user.len() + spare;
        estimate.calls += 1;
        estimate.prompt_tokens += self.shared.estimator.tokens(bytes);
        estimate.completion_tokens += self.output_room();
    }
}

/// Room for the findings that a prompt quotes.
fn spare(batch: &PromptBatch<'_>) -> usize {
    (FINDINGS + batch.lines().count() / LINES_A_FINDING) * FINDING_BYTES
}
