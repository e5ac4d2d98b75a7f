//! The candidates of all batches of a change.
//!
//! They are deduplicated, ranked and reported when the pool is dropped. That is when the review ends, including early
//! ends by a timeout or a disconnected caller.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use review::Event;

use super::call::AskError;
use super::find::BatchResult;
use super::run::ModelRun;
use crate::cache::Answer;
use crate::prompt_batch::PromptBatch;
use crate::stages::dedupe::{Pooled, dedupe};
use crate::stages::quota::quota;

/// A batch, or a half of one, with its candidates.
pub(super) struct Part<'b> {
    pub(super) batch: Cow<'b, PromptBatch<'b>>,
    answer: Arc<Answer>,
}

/// The candidates of all batches; see the module.
pub(super) struct Pool<'r, 'b> {
    run: &'r ModelRun<'r>,
    quota: usize,
    /// Each with the index of its batch, because batches end in any order.
    parts: Mutex<Vec<(usize, Part<'b>)>>,
}

impl<'r, 'b> Pool<'r, 'b> {
    pub(super) fn new(run: &'r ModelRun<'r>, batches: &[PromptBatch<'b>]) -> Self {
        let changed_lines = batches.iter().map(PromptBatch::changed_lines).sum();
        Self {
            run,
            quota: quota(changed_lines, run.shared.max_selected),
            parts: Mutex::default(),
        }
    }

    /// Adds the candidates of a batch or of a half of one, and reports how its search ended.
    pub(super) fn add(
        &self,
        number: usize,
        batch: Cow<'b, PromptBatch<'b>>,
        result: BatchResult,
    ) -> Result<(), AskError> {
        self.run.report_search(&batch, &result);
        let part = Part {
            batch,
            answer: result.answer?,
        };
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push((number, part));
        let held = parts.iter().map(|(_, part)| part.answer.found.len()).sum();
        self.run.report.report(Event::Held(held));
        Ok(())
    }
}

impl Drop for Pool<'_, '_> {
    fn drop(&mut self) {
        let mut parts =
            std::mem::take(self.parts.get_mut().unwrap_or_else(PoisonError::into_inner));
        parts.sort_by_key(|(batch, _)| *batch);
        let parts: Vec<Part<'_>> = parts.into_iter().map(|(_, part)| part).collect();
        let pooled = parts.iter().enumerate().flat_map(|(at, part)| {
            let pooled = move |found: &crate::locate::Located| {
                Some(Pooled {
                    part: at,
                    position: part.batch.position_of(found.at)?,
                    found: found.clone(),
                })
            };
            part.answer.found.iter().filter_map(pooled)
        });
        let (kept, duplicates) = dedupe(pooled.collect());
        self.run.report_duplicates(&parts, duplicates);
        self.run.report_ranked(&parts, &kept, self.quota);
    }
}
