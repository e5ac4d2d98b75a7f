//! One exchange with a model, as stored in a file.

use std::path::Path;

use llm::{Finish, Reply};
use review::TokenUsage;
use serde::{Deserialize, Serialize};

use super::questions::Question;

/// A stored exchange.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Exchange {
    /// The asker: an arm and an item.
    pub(super) asker: String,
    /// The index of the question among those of its asker, from 0.
    pub(super) number: usize,
    text: String,
    /// Whether the answer was cut off.
    cut: bool,
    usage: TokenUsage,
}

impl Exchange {
    pub(super) fn of(asker: &str, question: &Question, reply: &Reply) -> Self {
        let (text, cut) = (reply.text.clone(), reply.finish != Finish::Stop);
        Self {
            asker: asker.to_owned(),
            number: question.number,
            text,
            cut,
            usage: reply.usage,
        }
    }

    pub(super) fn reply(&self, model: &str) -> Reply {
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

/// The exchange in a file; `None` if the file does not exist.
pub(super) fn read(path: &Path) -> Result<Option<Exchange>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text)
            .map(Some)
            .map_err(|error| format!("{}: {error}", path.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("{}: {error}", path.display())),
    }
}
