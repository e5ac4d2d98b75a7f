//! Records the answers of another model.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use llm::{Call, CallError, ChatModel, Prompt, Reply, Window};

use super::exchange::{Exchange, read};
use super::lock::locked;
use super::questions::Questions;

/// A model whose answers are recorded. Questions that are already on the tape are not asked again.
pub(crate) struct Recorder {
    model: Arc<dyn ChatModel>,
    folder: PathBuf,
    questions: Questions,
    /// Errors of reading and writing.
    faults: Mutex<Vec<String>>,
}

impl Recorder {
    pub(crate) fn new(
        model: Arc<dyn ChatModel>,
        folder: PathBuf,
        questions: Questions,
    ) -> Result<Self, String> {
        std::fs::create_dir_all(&folder)
            .map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self {
            model,
            folder,
            questions,
            faults: Mutex::default(),
        })
    }

    /// The reason why the tape is incomplete, if it is.
    pub(crate) fn fault(&self) -> Option<String> {
        locked(&self.faults).first().cloned()
    }

    async fn ask(&self, call: &Call<'_>, prompt: &Prompt) -> Result<Reply, CallError> {
        let question = self.questions.next(call.tenant, prompt);
        let path = self.folder.join(&question.name);
        match read(&path) {
            Ok(Some(known)) => return Ok(known.reply(self.model.name())),
            Ok(None) => {}
            Err(fault) => locked(&self.faults).push(fault),
        }
        let reply = self.model.complete_for(call, prompt).await?;
        let exchange = Exchange::of(call.tenant, &question, &reply);
        let text = serde_json::to_string_pretty(&exchange).map_err(|error| error.to_string());
        let written = text
            .and_then(|text| std::fs::write(&path, text + "\n").map_err(|error| error.to_string()));
        if let Err(error) = written {
            locked(&self.faults).push(format!("{}: {error}", path.display()));
        }
        Ok(reply)
    }
}

impl ChatModel for Recorder {
    fn name(&self) -> &str {
        self.model.name()
    }

    fn window(&self) -> Window {
        self.model.window()
    }

    fn count(&self) -> usize {
        self.model.count()
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(async move { self.ask(&Call::default(), prompt).await })
    }

    fn complete_for<'a>(
        &'a self,
        call: &'a Call<'a>,
        prompt: &'a Prompt,
    ) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(self.ask(call, prompt))
    }
}
