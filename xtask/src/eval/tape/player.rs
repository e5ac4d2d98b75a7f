//! Answers from a tape, without a network.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Mutex;

use futures_util::future::BoxFuture;
use llm::{Call, CallError, ChatModel, Prompt, Reply, Window};

use super::exchange::{Exchange, read};
use super::lock::locked;
use super::questions::{Question, Questions};

/// What is done about a question that is not on the tape.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Missing {
    /// The evaluation fails and names the items.
    Fail,
    /// The item is left out, and counted.
    Skip,
    /// It gets the answer that the same item got to the question with the same number, whatever the prompt was: for changes to how
    /// answers are read, located, deduplicated and ranked.
    Item,
}

/// A model that says what it said before.
pub(crate) struct Player {
    model: String,
    window: Window,
    folder: PathBuf,
    questions: Questions,
    missing: Missing,
    /// By asker and number, where the prompt need not be the same.
    by_number: HashMap<Place, Exchange>,
    /// Those whose questions are not on the tape.
    lost: Mutex<BTreeSet<String>>,
}

impl Player {
    pub(crate) fn new(
        folder: PathBuf,
        questions: Questions,
        window: Window,
        missing: Missing,
    ) -> Result<Self, String> {
        let by_number = if missing == Missing::Item {
            all(&folder)?
        } else {
            HashMap::new()
        };
        let model = questions.model.clone();
        Ok(Self {
            model,
            window,
            folder,
            questions,
            missing,
            by_number,
            lost: Mutex::default(),
        })
    }

    /// Those that had no answer.
    pub(crate) fn lost(&self) -> BTreeSet<String> {
        locked(&self.lost).clone()
    }

    /// Fails where something had no answer and that was not allowed for.
    pub(crate) fn check(&self) -> Result<(), String> {
        let lost: Vec<String> = self.lost().into_iter().collect();
        if lost.is_empty() || self.missing == Missing::Skip {
            return Ok(());
        }
        Err(format!(
            "not on the tape {}: {}",
            self.folder.display(),
            lost.join(", ")
        ))
    }

    fn answer(&self, asker: &str, prompt: &Prompt) -> Result<Reply, CallError> {
        let Question { name, number } = self.questions.next(asker, prompt);
        let known = read(&self.folder.join(name)).unwrap_or_default();
        let known = known.or_else(|| self.by_number.get(&(asker.to_owned(), number)).cloned());
        let Some(known) = known else {
            locked(&self.lost).insert(asker.to_owned());
            return Err(CallError::Refused(404));
        };
        Ok(known.reply(&self.model))
    }
}

/// Who asked, and the number of the question.
type Place = (String, usize);

/// All exchanges of a folder.
fn all(folder: &PathBuf) -> Result<HashMap<Place, Exchange>, String> {
    let entries =
        std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let files = paths.filter(|path| path.extension().is_some_and(|kind| kind == "json"));
    let exchanges = files.filter_map(|path| read(&path).transpose());
    exchanges
        .map(|exchange| exchange.map(|one| ((one.asker.clone(), one.number), one)))
        .collect()
}

impl ChatModel for Player {
    fn name(&self) -> &str {
        &self.model
    }

    fn window(&self) -> Window {
        self.window
    }

    fn complete<'a>(&'a self, prompt: &'a Prompt) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(async move { self.answer("", prompt) })
    }

    fn complete_for<'a>(
        &'a self,
        call: &'a Call<'a>,
        prompt: &'a Prompt,
    ) -> BoxFuture<'a, Result<Reply, CallError>> {
        Box::pin(async move { self.answer(call.tenant, prompt) })
    }
}
