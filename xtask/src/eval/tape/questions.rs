//! The identity of a question: a hash of the whole request, and how often it was sent before.

use std::collections::HashMap;
use std::sync::Mutex;

use llm::{Prompt, Protocol};
use sha2::{Digest as _, Sha256};

use super::lock::locked;

/// Assigns identities to questions.
pub(in crate::eval) struct Questions {
    protocol: String,
    pub(super) model: String,
    /// How often each question was asked, and how many questions each asker had.
    asked: Mutex<(HashMap<String, usize>, HashMap<String, usize>)>,
}

/// A question: the name of its file, and its index among those of its asker.
pub(super) struct Question {
    pub(super) name: String,
    pub(super) number: usize,
}

impl Questions {
    pub(in crate::eval) fn new(protocol: Protocol, model: &str) -> Self {
        Self {
            protocol: protocol.to_string(),
            model: model.to_owned(),
            asked: Mutex::default(),
        }
    }

    /// The next question.
    pub(super) fn next(&self, asker: &str, prompt: &Prompt) -> Question {
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
        let later = prompt.later.iter();
        let later = later.flat_map(|turn| [&*turn.answer, &*turn.user]);
        let fields = [
            &self.protocol, &self.model, asker, &*prompt.system, &prompt.user, &schema, &room,
        ];
        for field in fields.into_iter().chain(later) {
            // Each field is preceded by its length, so that different lists of fields have different bytes.
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

/// Increments a counter, and returns its previous value.
fn counted(counts: &mut HashMap<String, usize>, name: &str) -> usize {
    let count = counts.entry(name.to_owned()).or_default();
    *count += 1;
    *count - 1
}
