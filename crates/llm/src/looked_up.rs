//! Code from the repository that a prompt shows: masked, numbered and bounded.

use review::repository::{Answer, Lookup, Refusal};

use crate::redact::{Masked, Redactor};

/// Longer questions are cut.
const QUESTION_BYTES: usize = 300;

/// A look-up with its answer.
pub(crate) struct LookedUp {
    /// The look-up as the model wrote it.
    pub(crate) question: Masked<'static>,
    pub(crate) answer: Result<Vec<Passage>, Refusal>,
    /// The answer is incomplete.
    pub(crate) more: bool,
}

/// Consecutive lines of a file.
pub(crate) struct Passage {
    pub(crate) path: Masked<'static>,
    pub(crate) first: usize,
    pub(crate) text: Masked<'static>,
}

impl LookedUp {
    /// Masks an answer and cuts it to this many bytes.
    pub(crate) fn of(
        lookup: &Lookup,
        answer: Result<Answer, Refusal>,
        bytes: usize,
        redactor: &Redactor,
    ) -> Self {
        let question = redactor.text(&question(lookup)).cut(QUESTION_BYTES);
        let (answer, mut more) = match answer {
            Ok(answer) => (Ok(answer.excerpts), answer.more),
            Err(refusal) => (Err(refusal), false),
        };
        let mut room = bytes;
        let answer = answer.map(|excerpts| {
            let mut passages = Vec::new();
            for excerpt in excerpts {
                let text = redactor.lines(&excerpt.path, &excerpt.lines);
                more |= text.len() > room;
                let text = text.cut(room);
                room -= text.len();
                if text.len() > 0 {
                    passages.push(Passage {
                        path: redactor.text(&excerpt.path).into_owned(),
                        first: excerpt.first,
                        text,
                    });
                }
            }
            passages
        });
        Self {
            question,
            answer,
            more,
        }
    }

    /// Bytes of its text.
    pub(crate) fn bytes(&self) -> usize {
        self.passages()
            .map(|passage| passage.text.len() + passage.path.len())
            .sum()
    }

    /// The texts that were shown.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &str> {
        self.passages()
            .flat_map(|passage| [passage.path.as_str(), passage.text.as_str()])
    }

    fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.answer.iter().flatten()
    }
}

fn question(lookup: &Lookup) -> String {
    match lookup {
        Lookup::Read { path, first, last } => format!("read {path}:{first}-{last}"),
        Lookup::Search(text) => format!("search {text}"),
        Lookup::Definition(name) => format!("definition {name}"),
        Lookup::Callers(name) => format!("callers {name}"),
    }
}
