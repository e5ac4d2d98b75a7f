//! What one review has of the engine: the models and the cache of all, a budget and guidelines of its own.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use review::repository::Repository;
use review::{Candidate, Chunk, Recipient, Report};
use tokio::sync::Semaphore;

use super::price::Price;
use crate::budget::Budget;
use crate::cache::Cache;
use crate::model::{ChatModel, Reader};
use crate::prompt::{Frame, View};
use crate::prompt_batch::{PromptBatch, batches};
use crate::redact::{Masked, Redactor};
use crate::tokens::Estimator;

/// Tokens that the frame of a prompt (instructions, schema, hints) takes, and some to spare for a wrong estimate.
const FRAME: u64 = 4_096;
/// The most that one part may have, in tokens: models lose the thread of longer changes, whatever their window.
const BATCH: u64 = 24_000;
/// The least that is left for a part, however small the window: a call below it is not worth its frame.
const MIN_BATCH: u64 = 512;
/// Bytes of all answers to look-ups in a prompt.
pub(super) const SHOWN_BYTES: usize = 32_000;

/// What all reviews share.
pub(crate) struct Shared {
    pub(crate) model: Arc<dyn ChatModel>,
    /// The names of the models, in the order of fallback.
    pub(super) models: String,
    /// The models, in the order of fallback, and where they are.
    pub(super) recipients: Vec<Recipient>,
    pub(super) reader: Reader,
    pub(super) review_tokens: u64,
    /// Whether there is no review without it.
    pub(super) required: bool,
    pub(super) concurrency: usize,
    /// Look-ups that the finder may ask for in one review.
    pub(super) look_ups: usize,
    /// The first model's, if it has one.
    pub(super) price: Option<Price>,
    /// Those of all models, in the order of fallback.
    pub(super) prices: Vec<Option<Price>>,
    /// Model findings of a change that may keep their priority, at most.
    pub(super) max_selected: usize,
    pub(super) answers: Option<Cache>,
    pub(super) redactor: Redactor,
    pub(crate) estimator: Estimator,
}

/// The engine of one review.
pub(crate) struct ModelRun<'r> {
    pub(super) shared: Arc<Shared>,
    pub(super) budget: Budget,
    pub(super) calls: Semaphore,
    pub(super) tenant: String,
    pub(super) guidelines: Option<Masked<'static>>,
    /// What the author says that the change is meant to do.
    pub(super) description: Option<Masked<'static>>,
    pub(super) repository: Option<&'r dyn Repository>,
    /// Look-ups that the model may still ask for.
    pub(super) look_ups_left: AtomicUsize,
    pub(super) report: &'r dyn Report,
}

impl ModelRun<'_> {
    pub(super) fn batches<'a>(
        &self,
        chunks: &'a [Chunk<'_>],
        hints: &'a [Candidate],
    ) -> Vec<PromptBatch<'a>> {
        batches(
            chunks,
            hints,
            &self.shared.redactor,
            &self.shared.estimator,
            self.room(),
        )
    }

    /// Tokens that the part of a change in one prompt may have.
    fn room(&self) -> u64 {
        let texts =
            [&self.guidelines, &self.description].map(|text| text.as_ref().map_or(0, Masked::len));
        let looked_up = if self.repository.is_some() {
            SHOWN_BYTES
        } else {
            0
        };
        let taken = self.output_room()
            + FRAME
            + self
                .shared
                .estimator
                .tokens(texts.iter().sum::<usize>() + looked_up);
        self.shared
            .model
            .window()
            .context
            .saturating_sub(taken)
            .clamp(MIN_BATCH, BATCH)
    }

    /// What every prompt is given besides the change.
    pub(super) fn frame<'a>(&'a self, view: Option<View<'a>>) -> Frame<'a> {
        Frame {
            view,
            guidelines: self.guidelines.as_ref(),
            description: self.description.as_ref(),
            window: self.shared.model.window().context,
            max_output_tokens: self.output_room(),
        }
    }

    /// Tokens that a reply may have: not more than half the window, so that a small model has room for the question.
    pub(super) fn output_room(&self) -> u64 {
        let window = self.shared.model.window();
        window.output.min(window.context / 2).max(1)
    }
}
