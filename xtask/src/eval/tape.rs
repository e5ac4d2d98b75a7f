//! Exchanges with a model, kept as files: recorded once, replayed without a network as often as one likes.
//!
//! One exchange is one small file. Its name is a hash of the protocol, the model, who asks and the whole prompt, and how often
//! the same was asked before, so an interrupted recording goes on where it ended. A file holds the answer and never the prompt,
//! a key or a header.

mod meter;
mod player;
mod recorder;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use llm::{Finish, Prompt, Protocol, Reply};
use review::TokenUsage;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

pub(super) use meter::{Meter, Spent};
pub(super) use player::{Missing, Player};
pub(super) use recorder::Recorder;

/// One exchange as it is kept.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exchange {
    /// Who asked: an arm and an item.
    asker: String,
    /// The place of the question among those of its asker, from 0.
    number: usize,
    text: String,
    /// Whether the answer was cut off.
    cut: bool,
    usage: TokenUsage,
}

impl Exchange {
    fn of(asker: &str, question: &Question, reply: &Reply) -> Self {
        let (text, cut) = (reply.text.clone(), reply.finish != Finish::Stop);
        Self {
            asker: asker.to_owned(),
            number: question.number,
            text,
            cut,
            usage: reply.usage,
        }
    }

    fn reply(&self, model: &str) -> Reply {
        let finish = if self.cut {
            Finish::Length
        } else {
            Finish::Stop
        };
        Reply {
            text: self.text.clone(),
            finish,
            usage: self.usage,
            cached_tokens: 0,
            model: model.into(),
        }
    }
}

/// What a question is known by.
pub(super) struct Questions {
    protocol: String,
    model: String,
    /// How often each question was asked, and how many each asker had.
    asked: Mutex<(HashMap<String, usize>, HashMap<String, usize>)>,
}

/// A question: the name of its file, and its place among those of its asker.
struct Question {
    name: String,
    number: usize,
}

impl Questions {
    pub(super) fn new(protocol: Protocol, model: &str) -> Self {
        Self {
            protocol: protocol.to_string(),
            model: model.to_owned(),
            asked: Mutex::default(),
        }
    }

    /// The next question.
    fn next(&self, asker: &str, prompt: &Prompt) -> Question {
        let hash = self.hash(asker, prompt);
        let mut asked = locked(&self.asked);
        let occurrence = counted(&mut asked.0, &hash);
        let number = counted(&mut asked.1, asker);
        Question {
            name: format!("{hash}-{occurrence}.json"),
            number,
        }
    }

    fn hash(&self, asker: &str, prompt: &Prompt) -> String {
        let (schema, room) = (
            prompt.schema.json.to_string(),
            prompt.max_output_tokens.to_string(),
        );
        let mut hash = Sha256::new();
        for field in [
            &self.protocol,
            &self.model,
            asker,
            &*prompt.system,
            &prompt.user,
            &schema,
            &room,
        ] {
            // Each with its length, so that no two lists of fields are the same bytes.
            hash.update((field.len() as u64).to_le_bytes());
            hash.update(field);
        }
        hash.finalize()
            .iter()
            .take(16)
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// Counts one more, and says how many there were before.
fn counted(counts: &mut HashMap<String, usize>, name: &str) -> usize {
    let count = counts.entry(name.to_owned()).or_default();
    *count += 1;
    *count - 1
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing panics while it is held.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The exchange in a file; `None` where there is no such file.
fn read(path: &Path) -> Result<Option<Exchange>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| format!("{}: {error}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
