//! The engine as the pipeline sees it: shared by all reviews, and for one review.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use futures_util::future::{BoxFuture, join_all};
use review::repository::Repository;
use review::{Engine, Recipient, Report, Scope, Task};
use tokio::sync::Semaphore;

use super::call::FOLLOW_UPS;
use super::find::BatchResult;
use super::pool::Pool;
use super::price::Price;
use super::progress::Progress;
use super::run::{ModelRun, Shared};
use crate::budget::Budget;
use crate::cache::Cache;
use crate::model::{ChatModel, Reader};
use crate::prompt::{DESCRIPTION_BYTES, GUIDELINE_BYTES, has_second_turn};
use crate::prompt_batch::PromptBatch;
use crate::redact::Redactor;
use crate::settings::{ModelSettings, Settings};
use crate::tokens::Estimator;

/// The engine that uses language models.
pub struct ModelEngine(pub(super) Arc<Shared>);

impl ModelEngine {
    /// An engine that uses `model`, or a chain of models, and only shows it text that `redactor` has masked.
    #[must_use]
    pub fn new(model: Arc<dyn ChatModel>, settings: &Settings, redactor: Redactor) -> Self {
        let names: Vec<&str> = settings.models.iter().map(|model| &*model.model).collect();
        Self(Arc::new(Shared {
            model,
            models: format!("{names:?}"),
            recipients: settings
                .models
                .iter()
                .map(ModelSettings::recipient)
                .collect(),
            reader: Reader::default(),
            review_tokens: settings.review_tokens,
            required: settings.required,
            concurrency: settings.concurrency.max(1),
            look_ups: settings.look_ups,
            price: settings.models.first().and_then(Price::of),
            prices: settings.models.iter().map(Price::of).collect(),
            max_selected: settings.max_selected,
            answers: settings.cache.then(Cache::default),
            redactor,
            estimator: Estimator::default(),
        }))
    }

    /// The same engine, with messages for readers who cannot change its settings. Call it before the first review.
    #[must_use]
    pub fn for_members(mut self) -> Self {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.reader = Reader::Member;
        }
        self
    }

    /// The same engine with token estimates that do not learn from answers, so that it always sends the same prompts
    /// for the same change. For evaluations that are recorded and replayed. Call it before the first review.
    #[must_use]
    pub fn with_fixed_estimates(mut self) -> Self {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.estimator = Estimator::fixed();
        }
        self
    }

    pub(super) fn run<'a>(
        &self,
        scope: &Scope,
        repository: Option<&'a dyn Repository>,
        report: &'a dyn Report,
    ) -> ModelRun<'a> {
        let shared = Arc::clone(&self.0);
        let repository = repository
            .filter(|_| shared.look_ups > 0 && has_second_turn(shared.model.window().context));
        let tokens = scope
            .token_allowance
            .map_or(shared.review_tokens, |allowed| {
                allowed.min(shared.review_tokens)
            });
        ModelRun {
            budget: Budget::new(tokens),
            calls: Semaphore::new(shared.concurrency),
            guidelines: scope
                .guidelines
                .as_deref()
                .map(|text| shared.redactor.text(text).cut(GUIDELINE_BYTES)),
            description: scope
                .change_description
                .as_deref()
                .map(|text| shared.redactor.text(text).cut(DESCRIPTION_BYTES)),
            repository,
            look_ups_left: AtomicUsize::new(shared.look_ups),
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

    fn recipients(&self) -> &[Recipient] {
        &self.0.recipients
    }

    fn is_required(&self) -> bool {
        self.0.required
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            // No call is made once the review has ended.
            if task.budget.ended().is_none() {
                self.run(
                    task.scope,
                    task.repository
                        .filter(|repository| repository.is_for_models()),
                    report,
                )
                .review(task)
                .await;
            }
        })
    }
}

impl ModelRun<'_> {
    /// Looks for candidates in all batches concurrently, and has the model decide on them; the review's semaphore bounds
    /// the calls. Dropping the pool reports them.
    pub(super) async fn review(&self, task: &Task<'_, '_>) {
        let batches = self.batches(task.chunks, task.found);
        let progress = &Progress::new(
            task.chunks,
            batches.iter().map(|batch| &*batch.chunks),
            self.report,
            self.shared.reader,
        );
        let pool = Pool::new(self, &batches);
        let all = &pool;
        let searches = batches.iter().enumerate().map(|(at, batch)| async move {
            progress.start(&batch.chunks);
            let (mut ends, mut open) = (Vec::new(), Vec::new());
            for (part, mut result) in self.find_whole(batch).await {
                let first = result.first.take();
                let end = all.add(at, part.clone(), result, first.is_some());
                if let (Ok(number), Some(first)) = (&end, first) {
                    open.push((*number, part, first));
                }
                ends.push(end.map(drop));
            }
            // The candidates of the first turn count even if there is no time for the second one.
            progress.end(&batch.chunks, &ends);
            let second = open.into_iter().map(|(number, part, first)| async move {
                let decision = self.decide(&part, &first).await;
                all.record_decision(number, decision);
            });
            join_all(second).await;
        });
        join_all(searches).await;
    }

    /// Looks for candidates in a batch, or in its halves if the answer does not fit.
    async fn find_whole<'b>(
        &self,
        batch: &'b PromptBatch<'b>,
    ) -> Vec<(Cow<'b, PromptBatch<'b>>, BatchResult)> {
        let result = self.find(batch, FOLLOW_UPS).await;
        let halves = if result.lacks_room() {
            batch.halves()
        } else {
            None
        };
        let Some(halves) = halves else {
            return vec![(Cow::Borrowed(batch), result)];
        };
        let search = async |half: PromptBatch<'b>| {
            let result = self.find(&half, 0).await;
            (Cow::Owned(half), result)
        };
        join_all(halves.into_iter().map(search)).await
    }
}
