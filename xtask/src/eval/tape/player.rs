//! Answers from a tape, without a network.

use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Mutex;

use futures_util::future::BoxFuture;
use llm::{Call, CallError, ChatModel, Prompt, Reply, Window};

use super::exchange::{Exchange, read};
use super::lock::locked;
use super::questions::{Question, Questions};

/// How to handle a question that is not on the tape.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Missing {
    /// The evaluation fails and names the items.
    Fail,
    /// The item is left out and counted.
    Skip,
    /// The item's answer to the question with the same number is used, whatever the prompt was. For changes to how
    /// answers are parsed, located, deduplicated and ranked.
    Item,
}

/// A model that replays recorded answers.
pub(crate) struct Player {
    model: String,
    window: Window,
    folder: PathBuf,
    questions: Questions,
    missing: Missing,
    /// By asker and number, for use with other prompts.
    by_number: HashMap<Place, Exchange>,
    /// Askers with questions that are not on the tape.
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

    /// Askers with unanswered questions.
    pub(crate) fn lost(&self) -> BTreeSet<String> {
        locked(&self.lost).clone()
    }

    /// Fails if a question had no answer and this is not allowed.
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

/// The asker, and the number of the question.
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
