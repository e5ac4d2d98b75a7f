//! All candidates of a change, until it is decided what becomes of them.
//!
//! They are reported when the review of the change ends, however it ends: where time runs out or the caller goes away before they are
//! ranked, in the order that code can tell.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use review::Event;

use super::call::AskError;
use super::find::BatchResult;
use super::run::ModelRun;
use crate::cache::Answer;
use crate::locate::Located;
use crate::prompt_batch::PromptBatch;
use crate::stages::ranking::Ranking;
use crate::stages::selector;

/// The candidates of a batch, or of a half of one.
pub(super) struct Part<'b> {
    pub(super) batch: Cow<'b, PromptBatch<'b>>,
    pub(super) answer: Arc<Answer>,
}

impl Part<'_> {
    /// Its candidates, each with the part.
    pub(super) fn candidates(&self) -> impl Iterator<Item = (&Self, &Located)> {
        self.answer.found.iter().map(move |found| (self, found))
    }
}

/// The candidates of all parts.
pub(super) fn candidates<'p>(parts: &[&'p Part<'_>]) -> Vec<&'p Located> {
    parts.iter().flat_map(|part| &part.answer.found).collect()
}

/// See the module.
pub(super) struct Pool<'r, 'b> {
    run: &'r ModelRun<'r>,
    changed_lines: usize,
    /// With the number of the batch, because they end in any order.
    parts: Mutex<Vec<(usize, Part<'b>)>>,
}

impl<'r, 'b> Pool<'r, 'b> {
    pub(super) fn new(run: &'r ModelRun<'r>, batches: &[PromptBatch<'b>]) -> Self {
        let changed_lines = batches.iter().map(PromptBatch::changed_lines).sum();
        Self { run, changed_lines, parts: Mutex::default() }
    }

    /// Takes what was found in a batch or a half of one, and reports how far the search came.
    pub(super) fn add(
        &self,
        number: usize,
        batch: Cow<'b, PromptBatch<'b>>,
        result: BatchResult,
    ) -> Result<(), AskError> {
        self.run.report_search(&batch, &result);
        let part = Part { batch, answer: result.answer? };
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push((number, part));
        let held = parts.iter().map(|(_, part)| part.answer.found.len()).sum();
        self.run.report.report(Event::Held(held));
        Ok(())
    }

    /// Decides what becomes of the candidates, and reports them.
    pub(super) async fn finish(mut self) {
        let (run, quota) = (self.run, self.quota());
        let parts = self.parts();
        let ranking = run.rank(&parts, quota).await;
        run.report_ranked(&parts, &ranking);
        drop(parts);
        self.clear();
    }

    fn quota(&self) -> usize {
        selector::quota(self.changed_lines, self.run.shared.max_selected)
    }

    /// The parts in the order of the change.
    fn parts(&mut self) -> Vec<&Part<'b>> {
        let parts = self.parts.get_mut().unwrap_or_else(PoisonError::into_inner);
        parts.sort_by_key(|(batch, _)| *batch);
        parts.iter().map(|(_, part)| part).collect()
    }

    fn clear(&mut self) {
        self.parts.get_mut().unwrap_or_else(PoisonError::into_inner).clear();
    }
}

impl Drop for Pool<'_, '_> {
    fn drop(&mut self) {
        let (run, quota) = (self.run, self.quota());
        let parts = self.parts();
        run.report_ranked(&parts, &Ranking::computed(&candidates(&parts), quota));
    }
}
