//! One plain question about a whole change, without hints and without a verifier: what the engine is measured against.

use review::{Engine, Report, Task};

use futures_util::future::BoxFuture;

use super::batch_review::BatchReview;
use super::call::{AskError, FOLLOW_UPS};
use super::model_engine::ModelEngine;
use super::progress::Progress;
use super::run::ModelRun;
use crate::cache::Answer;
use crate::model::Prompt;
use crate::prompt;
use crate::prompt_batch::{PromptBatch, batches};

/// More tokens than any change has: a plain question is never divided.
const WHOLE: u64 = u32::MAX as u64;

/// How the plain question is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// The diff as it is, and "review this".
    Pasted,
    /// The finder's own prompt: numbered lines and the whole schema.
    Numbered,
    /// The same, with at most so many findings.
    AtMost(usize),
}

/// Reviews a change with one plain question. What was found is neither merged nor verified.
pub struct PlainEngine {
    engine: ModelEngine,
    question: Plain,
}

impl PlainEngine {
    /// An engine that asks the models of `engine`, and masks what that one masks.
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
            let run = self.engine.run(task.scope, report);
            let shared = &run.shared;
            let whole = batches(task.chunks, &[], &shared.redactor, &shared.estimator, WHOLE);
            let progress = Progress::new(task.chunks, whole.iter().map(|batch| &*batch.chunks), report);
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
        let found = self.found(batch, &self.plain_prompt(batch, question), FOLLOW_UPS).await?;
        let answer = Answer { found: found.found, doubts: Vec::new(), dropped: found.dropped };
        let result = Ok(std::sync::Arc::new(answer));
        self.report_batch(batch, BatchReview { result, unverified: None, missing: found.missing })
    }

    fn plain_prompt(&self, batch: &PromptBatch<'_>, question: Plain) -> Prompt {
        let room = self.output_room();
        match question {
            Plain::Pasted => prompt::pasted(batch, room),
            Plain::Numbered => prompt::finder(batch, self.guidelines.as_ref(), room),
            Plain::AtMost(most) => prompt::at_most(prompt::finder(batch, self.guidelines.as_ref(), room), most),
        }
    }
}
