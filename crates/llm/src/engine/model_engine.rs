//! The engine as the pipeline sees it: of all reviews, and of one.

use std::sync::Arc;

use futures_util::future::{BoxFuture, join, join_all};
use review::{Candidate, Chunk, Engine, Outcome, Run, Scope};
use tokio::sync::Semaphore;

use super::batch_review::BatchReview;
use super::outcome;
use super::price::Price;
use super::run::{ModelRun, Shared};
use crate::budget::Budget;
use crate::cache::Cache;
use crate::model::ChatModel;
use crate::prompt::GUIDELINE_BYTES;
use crate::prompt_batch::PromptBatch;
use crate::redact::Redactor;
use crate::settings::Settings;
use crate::tokens::Estimator;

/// How often a part may be halved for a model that has too little room to answer: one that never stops does so at any size, and
/// then costs three calls.
const HALVINGS: u32 = 1;

/// The engine that asks language models.
pub struct ModelEngine(pub(super) Arc<Shared>);

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

    pub(super) fn run(&self, scope: &Scope) -> ModelRun {
        let shared = Arc::clone(&self.0);
        let tokens = scope.token_allowance.map_or(shared.review_tokens, |allowed| allowed.min(shared.review_tokens));
        ModelRun {
            budget: Budget::new(tokens),
            calls: Semaphore::new(shared.concurrency),
            guidelines: scope.guidelines.as_deref().map(|text| shared.redactor.text(text).cut(GUIDELINE_BYTES)),
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

    fn start(&self, scope: &Scope, _: &review::Budget) -> Box<dyn Run> {
        Box::new(self.run(scope))
    }
}

impl Run for ModelRun {
    /// Calls are bounded by the review's own semaphore, so that the parts of one huge chunk run side by side as well.
    fn concurrency(&self) -> usize {
        self.shared.concurrency
    }

    fn analyse<'a>(&'a self, chunk: &'a Chunk<'_>, hints: &'a [Candidate]) -> BoxFuture<'a, Outcome> {
        Box::pin(self.look(chunk, hints))
    }
}

impl ModelRun {
    async fn look(&self, chunk: &Chunk<'_>, hints: &[Candidate]) -> Outcome {
        let batches = self.batches(chunk, hints);
        let reviews = join_all(batches.into_iter().map(|batch| self.review_whole(batch, HALVINGS))).await;
        outcome::merge(&reviews.into_iter().flatten().collect::<Vec<_>>())
    }

    /// Reviews a part, or its halves if the model has no room for it.
    fn review_whole<'p>(
        &'p self,
        batch: PromptBatch<'p>,
        halvings: u32,
    ) -> BoxFuture<'p, Vec<(PromptBatch<'p>, BatchReview)>> {
        Box::pin(async move {
            let may_halve = halvings > 0 && batch.lines().nth(1).is_some();
            let review = self.review_batch(&batch, may_halve).await;
            let halves = if may_halve && review.lacks_room() { batch.halves() } else { None };
            let Some([first, second]) = halves else { return vec![(batch, review)] };
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
