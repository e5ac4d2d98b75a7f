//! The model engine: from a chunk to candidates, by way of the models.
//!
//! [`ModelEngine`] lives as long as the process: models, cache, estimates. For each review it makes a [`ReviewEngine`] with a
//! budget of its own. A chunk is cut into parts that fit the models' window; each part is looked at by one finder or more,
//! and then by the verifier. Whatever goes wrong with a part is a warning that names its files.

mod call;
mod estimate;
mod outcome;
mod part_review;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use futures_util::future::{BoxFuture, join, join_all};
use review::{Candidate, Chunk, Engine, Outcome, Scope};
use tokio::sync::Semaphore;

pub use estimate::Estimate;
use estimate::Price;
use part_review::PartReview;

use crate::budget::Budget;
use crate::cache::Cache;
use crate::model::ChatModel;
use crate::part::{Part, parts};
use crate::prompt::GUIDELINE_BYTES;
use crate::redact::Redactor;
use crate::settings::{Effort, Settings};
use crate::tokens::Estimator;

/// Tokens that the frame of a prompt (instructions, schema, hints) takes, and some to spare for a wrong estimate.
const FRAME: u64 = 4_096;
/// The most that one part may have, in tokens: models lose the thread of longer changes, whatever their window.
const PART: u64 = 24_000;
/// The least that is left for a part, however small the window: a call below it is not worth its frame.
const LEAST_PART: u64 = 512;
/// How often a part may be halved for a model that has too little room to answer: one that never stops talking does so at any size.
const HALVINGS: u32 = 3;

/// The engine that asks language models.
pub struct ModelEngine(Arc<Shared>);

/// What all reviews share.
pub(crate) struct Shared {
    pub(crate) model: Arc<dyn ChatModel>,
    /// All that determines an answer besides the code: models, effort.
    identity: String,
    effort: Effort,
    review_tokens: u64,
    concurrency: usize,
    /// The first model's, if it has one.
    price: Option<Price>,
    cache: Option<Cache>,
    redactor: Redactor,
    pub(crate) estimator: Estimator,
}

impl ModelEngine {
    /// An engine that asks `model`, which may stand for several, and shows it nothing that `redactor` has not seen.
    #[must_use]
    pub fn new(model: Arc<dyn ChatModel>, settings: &Settings, redactor: Redactor) -> Self {
        let names: Vec<&str> = settings.models.iter().map(|model| &*model.model).collect();
        Self(Arc::new(Shared {
            model,
            identity: format!("{:?} {names:?}", settings.effort),
            effort: settings.effort,
            review_tokens: settings.review_tokens,
            concurrency: settings.concurrency.max(1),
            price: settings.models.first().and_then(Price::of),
            cache: settings.cache.then(Cache::default),
            redactor,
            estimator: Estimator::default(),
        }))
    }

    fn review_engine(&self, scope: &Scope) -> ReviewEngine {
        let shared = Arc::clone(&self.0);
        let tokens = scope.token_allowance.map_or(shared.review_tokens, |allowed| allowed.min(shared.review_tokens));
        ReviewEngine {
            budget: Budget::new(tokens),
            calls: Semaphore::new(shared.concurrency),
            guidelines: scope.guidelines.as_deref().map(|text| cut(text, GUIDELINE_BYTES).to_owned()),
            tenant: scope.tenant.clone(),
            shared,
        }
    }
}

impl Engine for ModelEngine {
    fn name(&self) -> &'static str {
        "model"
    }

    fn model(&self) -> Option<&str> {
        Some(self.0.model.name())
    }

    fn for_review(&self, scope: &Scope) -> Option<Arc<dyn Engine>> {
        Some(Arc::new(self.review_engine(scope)))
    }

    /// A chunk on its own: as a review of nothing else, for no tenant, with the whole budget of the settings. The pipeline
    /// asks [`Engine::for_review`] first, whose engine has one budget for all chunks.
    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(async move { self.review_engine(&Scope::default()).look(chunk, hints).await })
    }
}

/// The engine of one review.
pub(crate) struct ReviewEngine {
    shared: Arc<Shared>,
    budget: Budget,
    calls: Semaphore,
    tenant: String,
    guidelines: Option<String>,
}

impl Engine for ReviewEngine {
    fn name(&self) -> &'static str {
        "model"
    }

    fn model(&self) -> Option<&str> {
        Some(self.shared.model.name())
    }

    /// Calls are bounded by the review's own semaphore, so that the parts of one huge chunk run side by side as well.
    fn concurrency(&self) -> usize {
        self.shared.concurrency
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(self.look(chunk, hints))
    }
}

impl ReviewEngine {
    fn parts<'a>(&self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> Vec<Part<'a>> {
        let window = self.shared.model.window();
        let taken =
            self.output_room() + FRAME + self.shared.estimator.tokens(self.guidelines.as_ref().map_or(0, String::len));
        let room = window.context.saturating_sub(taken).clamp(LEAST_PART, PART);
        parts(chunk, hints, &self.shared.redactor, &self.shared.estimator, room)
    }

    /// Tokens that a reply may have: not more than half the window, so that a small model has room for the question.
    fn output_room(&self) -> u64 {
        let window = self.shared.model.window();
        window.output.min(window.context / 2).max(1)
    }

    async fn look(&self, chunk: &Chunk<'_>, hints: &[Candidate]) -> Outcome {
        let parts = self.parts(chunk, hints);
        let reviews = join_all(parts.into_iter().map(|part| self.review_whole(part, HALVINGS))).await;
        outcome::unite(&reviews.into_iter().flatten().collect::<Vec<_>>())
    }

    /// Reviews a part, or its halves if the model has no room for it.
    fn review_whole<'p>(&'p self, part: Part<'p>, halvings: u32) -> BoxFuture<'p, Vec<(Part<'p>, PartReview)>> {
        Box::pin(async move {
            let may_halve = halvings > 0 && part.lines().nth(1).is_some();
            let review = self.review_part(&part, may_halve).await;
            let halves = if may_halve && review.lacks_room() { part.halves() } else { None };
            let Some([first, second]) = halves else { return vec![(part, review)] };
            let rest = halvings - 1;
            let (mut reviews, others) = join(self.review_whole(first, rest), self.review_whole(second, rest)).await;
            reviews.extend(others);
            if let Some((_, first)) = reviews.first_mut() {
                first.usage += review.usage;
            }
            reviews
        })
    }
}

/// The text up to so many bytes, cut between two characters.
fn cut(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes)).unwrap_or(text)
}
