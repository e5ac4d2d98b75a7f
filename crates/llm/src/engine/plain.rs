//! One plain prompt about a whole change, without hints and without a quota: the baseline of evaluations.

use std::sync::Arc;

use review::{Engine, Report, Task};

use futures_util::future::BoxFuture;

use super::call::{AskError, FOLLOW_UPS};
use super::find::BatchResult;
use super::model_engine::ModelEngine;
use super::progress::Progress;
use super::run::ModelRun;
use crate::model::{Prompt, Reader};
use crate::prompt;
use crate::prompt_batch::{PromptBatch, batches};

/// More tokens than any change has, so that it is never split.
const WHOLE: u64 = u32::MAX as u64;

/// The form of the plain prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// The unmodified diff with "review this".
    Pasted,
    /// With numbered lines, and the priority, the category and the fix of each finding.
    Numbered,
    /// The same, with at most this many findings.
    AtMost(usize),
}

/// Reviews a change with one plain prompt. Every finding is returned as the model reported it.
pub struct PlainEngine {
    engine: ModelEngine,
    question: Plain,
}

impl PlainEngine {
    /// An engine that uses the models and the redactor of `engine`.
    #[must_use]
    pub fn new(engine: ModelEngine, question: Plain) -> Self {
        Self { engine, question }
    }
}

impl Engine for PlainEngine {
    fn name(&self) -> &'static str {
        "plain"
    }

    fn model(&self) -> Option<&str> {
        self.engine.model()
    }

    fn is_required(&self) -> bool {
        false
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            let run = self.engine.run(task.scope, None, report);
            let shared = &run.shared;
            let whole = batches(task.chunks, &[], &shared.redactor, &shared.estimator, WHOLE);
            let progress = Progress::new(
                task.chunks,
                whole.iter().map(|batch| &*batch.chunks),
                report,
                Reader::Operator,
            );
            for batch in &whole {
                progress.start(&batch.chunks);
                let part = run.ask_plainly(batch, self.question).await;
                progress.end(&batch.chunks, &[part]);
            }
        })
    }
}

impl ModelRun<'_> {
    async fn ask_plainly(&self, batch: &PromptBatch<'_>, question: Plain) -> Result<(), AskError> {
        let prompt = self.plain_prompt(batch, question);
        let found = self.located(batch, self.ask(&prompt, FOLLOW_UPS).await?);
        let (answer, missing) = (Arc::new(found.answer), found.missing);
        self.report_search(
            batch,
            &BatchResult {
                answer: Ok(Arc::clone(&answer)),
                missing,
                first: None,
            },
        );
        answer
            .found
            .iter()
            .enumerate()
            .for_each(|(rank, found)| self.report_found(batch, found, Some(rank)));
        Ok(())
    }

    fn plain_prompt(&self, batch: &PromptBatch<'_>, question: Plain) -> Prompt {
        match question {
            Plain::Pasted => prompt::pasted(batch, self.output_room()),
            Plain::Numbered => prompt::plain(batch, self.frame()),
            Plain::AtMost(most) => prompt::at_most(prompt::plain(batch, self.frame()), most),
        }
    }
}
