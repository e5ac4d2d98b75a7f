//! The engine as the pipeline sees it: of all reviews, and of one.

use std::sync::Arc;

use futures_util::future::{BoxFuture, join_all};
use review::{Engine, Report, Scope, Task};
use tokio::sync::Semaphore;

use super::call::{AskError, FOLLOW_UPS};
use super::price::Price;
use super::progress::Progress;
use super::run::{ModelRun, Shared};
use crate::budget::Budget;
use crate::cache::Cache;
use crate::model::ChatModel;
use crate::prompt::GUIDELINE_BYTES;
use crate::prompt_batch::PromptBatch;
use crate::redact::Redactor;
use crate::settings::Settings;
use crate::tokens::Estimator;

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
            required: settings.required,
            concurrency: settings.concurrency.max(1),
            price: settings.models.first().and_then(Price::of),
            cache: settings.cache.then(Cache::default),
            redactor,
            estimator: Estimator::default(),
        }))
    }

    /// The same engine, whose estimates of tokens do not learn from the answers: whatever was answered before, it asks the
    /// same of the same change. For evaluations that are recorded and replayed; to be called before the first review.
    #[must_use]
    pub fn with_fixed_estimates(mut self) -> Self {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.estimator = Estimator::fixed();
        }
        self
    }

    pub(super) fn run<'a>(&self, scope: &Scope, report: &'a dyn Report) -> ModelRun<'a> {
        let shared = Arc::clone(&self.0);
        let tokens = scope.token_allowance.map_or(shared.review_tokens, |allowed| allowed.min(shared.review_tokens));
        ModelRun {
            budget: Budget::new(tokens),
            calls: Semaphore::new(shared.concurrency),
            guidelines: scope.guidelines.as_deref().map(|text| shared.redactor.text(text).cut(GUIDELINE_BYTES)),
            tenant: scope.tenant.clone(),
            report,
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

    fn is_required(&self) -> bool {
        self.0.required
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            // A question that nobody waits for any more is not asked.
            if task.budget.ended().is_none() {
                self.run(task.scope, report).review(task).await;
            }
        })
    }
}

impl ModelRun<'_> {
    /// Reviews all batches side by side: their calls are bounded by the review's semaphore.
    async fn review(&self, task: &Task<'_, '_>) {
        let batches = self.batches(task.chunks, task.found);
        let progress = Progress::new(task.chunks, batches.iter().map(|batch| &*batch.chunks), self.report);
        let reviews = batches.iter().map(|batch| async {
            progress.start(&batch.chunks);
            let parts = self.review_whole(batch).await;
            progress.end(&batch.chunks, &parts);
        });
        join_all(reviews).await;
    }

    /// Reviews a batch, or its halves if the model has no room for it, and reports what comes of each.
    async fn review_whole(&self, batch: &PromptBatch<'_>) -> Vec<Result<(), AskError>> {
        let review = self.review_batch(batch, FOLLOW_UPS).await;
        let halves = if review.lacks_room() { batch.halves() } else { None };
        let Some(halves) = halves else { return vec![self.report_batch(batch, review)] };
        let review = async |half| self.report_batch(half, self.review_batch(half, 0).await);
        join_all(halves.iter().map(review)).await
    }
}
