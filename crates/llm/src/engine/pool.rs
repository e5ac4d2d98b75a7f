//! The candidates of all batches of a change.
//!
//! They are deduplicated, ranked and reported when the pool is dropped. That is when the review ends, including early
//! ends by a timeout or a disconnected caller. Candidates on which the model has not decided by then are one priority
//! lower.

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use review::Event;

use super::call::AskError;
use super::find::BatchResult;
use super::run::ModelRun;
use crate::cache::Answer;
use crate::locate::{Located, Standing};
use crate::prompt_batch::PromptBatch;
use crate::stages::dedupe::{Pooled, dedupe};
use crate::stages::quota::quota;

/// A batch, or a half of one, with its candidates.
pub(super) struct Part<'b> {
    pub(super) batch: Cow<'b, PromptBatch<'b>>,
    answer: Arc<Answer>,
    /// The model has not decided on the candidates yet.
    is_open: bool,
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

    /// Adds the candidates of a batch or of a half of one, and reports how its search ended. Returns the number of the
    /// part. `is_open`: the model will decide on them.
    pub(super) fn add(
        &self,
        number: usize,
        batch: Cow<'b, PromptBatch<'b>>,
        result: BatchResult,
        is_open: bool,
    ) -> Result<usize, AskError> {
        self.run.report_search(&batch, &result);
        let part = Part {
            batch,
            answer: result.answer?,
            is_open,
        };
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push((number, part));
        self.count(&parts);
        Ok(parts.len() - 1)
    }

    /// Records the model's decision on a part: its candidates are replaced by those that the model keeps.
    pub(super) fn record_decision(&self, part: usize, decision: Result<Arc<Answer>, AskError>) {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let Some((_, part)) = parts.get_mut(part) else {
            return;
        };
        part.is_open = false;
        match decision {
            Ok(answer) => {
                self.run.report_dropped(&answer);
                self.run.report_opinions(&part.batch, &answer);
                part.answer = answer;
            }
            Err(error) => {
                part.lower();
                self.run
                    .report_unchecked(part, &error.reason(self.run.shared.reader));
            }
        }
        self.count(&parts);
    }

    fn count(&self, parts: &[(usize, Part<'_>)]) {
        let held = parts.iter().map(|(_, part)| part.answer.found.len()).sum();
        self.run.report.report(Event::Held(held));
    }
}

impl Part<'_> {
    /// Marks the candidates as unchecked.
    fn lower(&mut self) {
        let found = self.answer.found.iter().cloned();
        let found = found.map(|found| found.with(Standing::Unchecked)).collect();
        self.answer = Arc::new(Answer {
            found,
            ..Answer::default()
        });
    }

    /// The candidates.
    pub(super) fn found(&self) -> &[Located] {
        &self.answer.found
    }
}

impl Drop for Pool<'_, '_> {
    fn drop(&mut self) {
        let mut parts =
            std::mem::take(self.parts.get_mut().unwrap_or_else(PoisonError::into_inner));
        for (_, part) in parts.iter_mut().filter(|(_, part)| part.is_open) {
            part.lower();
            self.run.report_unchecked(part, "the review ended before");
        }
        parts.sort_by_key(|(batch, _)| *batch);
        let parts: Vec<Part<'_>> = parts.into_iter().map(|(_, part)| part).collect();
        let pooled = parts.iter().enumerate().flat_map(|(at, part)| {
            let pooled = move |found: &Located| {
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
