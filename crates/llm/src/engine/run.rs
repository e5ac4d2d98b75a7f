//! The state of one review: the shared models and cache, and its own budget and guidelines.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use review::repository::Repository;
use review::{Candidate, Chunk, Recipient, Report};
use tokio::sync::Semaphore;

use super::price::Price;
use crate::budget::Budget;
use crate::cache::Cache;
use crate::model::{ChatModel, Reader};
use crate::prompt::{CANDIDATE_BYTES, Frame, has_second_turn};
use crate::prompt_batch::{PromptBatch, batches};
use crate::redact::{Masked, Redactor};
use crate::tokens::Estimator;

/// Tokens for the rest of a prompt (instructions, schema, hints), with a margin for estimation errors.
const FRAME: u64 = 4_096;
/// Maximum tokens of one part: models lose track of longer changes, whatever their window.
const BATCH: u64 = 24_000;
/// Minimum tokens of a part, however small the window: a smaller call is not worth its overhead.
const MIN_BATCH: u64 = 512;
/// Maximum bytes of all look-up answers in a prompt.
const SHOWN_BYTES: usize = 32_000;

/// State shared by all reviews.
pub(crate) struct Shared {
    pub(crate) model: Arc<dyn ChatModel>,
    /// The names of the models, in fallback order.
    pub(super) models: String,
    /// The models and their hosts, in fallback order.
    pub(super) recipients: Vec<Recipient>,
    pub(super) reader: Reader,
    pub(super) review_tokens: u64,
    /// Whether a review fails without the models.
    pub(super) required: bool,
    pub(super) concurrency: usize,
    /// Maximum look-ups that the finder may request in one review.
    pub(super) look_ups: usize,
    /// The first model's price, if it has one.
    pub(super) price: Option<Price>,
    /// The prices of all models, in fallback order.
    pub(super) prices: Vec<Option<Price>>,
    /// Maximum number of model findings of a change that keep their priority.
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
    /// The author's description of the change.
    pub(super) description: Option<Masked<'static>>,
    pub(super) repository: Option<&'r dyn Repository>,
    /// How many look-ups the model may still request.
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

    /// Maximum tokens of the part of a change in one prompt.
    fn room(&self) -> u64 {
        let texts =
            [&self.guidelines, &self.description].map(|text| text.as_ref().map_or(0, Masked::len));
        let candidates = if has_second_turn(self.shared.model.window().context) {
            CANDIDATE_BYTES
        } else {
            0
        };
        let taken = self.output_room()
            + FRAME
            + self
                .shared
                .estimator
                .tokens(texts.iter().sum::<usize>() + self.shown_bytes() + candidates);
        self.shared
            .model
            .window()
            .context
            .saturating_sub(taken)
            .clamp(MIN_BATCH, BATCH)
    }

    /// Maximum bytes of all look-up answers in a prompt. A model with a small window gets fewer, so that most of the window
    /// is left for the change.
    pub(super) fn shown_bytes(&self) -> usize {
        if self.repository.is_none() {
            return 0;
        }
        let window = usize::try_from(self.shared.model.window().context).unwrap_or(usize::MAX);
        SHOWN_BYTES.min(window / 2)
    }

    /// The content of every prompt in addition to the change.
    pub(super) fn frame(&self) -> Frame<'_> {
        Frame {
            guidelines: self.guidelines.as_ref(),
            description: self.description.as_ref(),
            window: self.shared.model.window().context,
            max_output_tokens: self.output_room(),
        }
    }

    /// Maximum tokens of a reply: at most half the window, so that a small model has room for the prompt.
    pub(super) fn output_room(&self) -> u64 {
        let window = self.shared.model.window();
        window.output.min(window.context / 2).max(1)
    }
}
