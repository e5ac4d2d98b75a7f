//! Code from the repository that a prompt shows: masked, numbered and bounded.

use review::repository::{Answer, Excerpt, Lookup, Refusal};

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
    /// Masks an answer.
    pub(crate) fn of(
        lookup: &Lookup,
        answer: Result<Answer, Refusal>,
        redactor: &Redactor,
    ) -> Self {
        let more = answer.as_ref().is_ok_and(|answer| answer.more);
        Self {
            question: redactor.text(&sentence(lookup)).cut(QUESTION_BYTES),
            answer: answer.map(|answer| passages(&answer, redactor)),
            more,
        }
    }

    /// Cuts the answer to this many bytes.
    pub(crate) fn cut(&mut self, bytes: usize) {
        let mut room = bytes;
        for passage in self.answer.iter_mut().flatten() {
            self.more |= passage.text.len() > room;
            passage.text = passage.text.clone().cut(room);
            room -= passage.text.len();
        }
        if let Ok(passages) = &mut self.answer {
            passages.retain(|passage| passage.text.len() > 0);
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

    /// The passages of the answer.
    pub(crate) fn passages(&self) -> impl Iterator<Item = &Passage> {
        self.answer.iter().flatten()
    }
}

/// The lines of an answer. Each file is masked once.
fn passages(answer: &Answer, redactor: &Redactor) -> Vec<Passage> {
    let of_file = |excerpts: &[Excerpt]| {
        let path = excerpts.first().map_or("", |excerpt| excerpt.path.as_str());
        let file = excerpts.first().map_or("", |excerpt| &*excerpt.file);
        let file = redactor.file(path, file);
        let shown = |excerpt: &Excerpt| Passage {
            path: redactor.text(path).into_owned(),
            first: excerpt.first,
            text: file.lines(excerpt.first, excerpt.lines.len()),
        };
        excerpts.iter().map(shown).collect::<Vec<_>>()
    };
    let files = answer.excerpts.chunk_by(|a, b| a.path == b.path);
    files.flat_map(of_file).collect()
}

fn sentence(lookup: &Lookup) -> String {
    let (kind, argument) = question(lookup);
    format!("{kind} {argument}")
}

/// A look-up as a model writes it: its kind and its argument.
pub(crate) fn question(lookup: &Lookup) -> (&'static str, String) {
    match lookup {
        Lookup::Read { path, first, last } => ("read", format!("{path}:{first}-{last}")),
        Lookup::Search(text) => ("search", text.clone()),
        Lookup::Definition(name) => ("definition", name.clone()),
        Lookup::Callers(name) => ("callers", name.clone()),
    }
}
