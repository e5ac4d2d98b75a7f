//! The names that a file removes.

use std::collections::{HashMap, HashSet};

use review::{Chunk, Language, Lexical, LineKind};

use super::renames::words;

/// The names that are on removed lines of a file and not on its new side.
#[derive(Debug, Default)]
pub(crate) struct RemovedIdentifiers {
    /// By name: the hunks in which it was removed.
    hunks: HashMap<String, usize>,
}

impl RemovedIdentifiers {
    pub(crate) fn of(file: &Chunk<'_>) -> Self {
        let lexical = Lexical::or_any(file.language.map(Language::name));
        let mut hunks = HashMap::<&str, usize>::new();
        for hunk in &file.hunks {
            let removed = hunk.lines.iter().filter(|line| {
                line.kind == LineKind::Removed && !lexical.is_comment_line(line.text)
            });
            for word in removed
                .flat_map(|line| words(line.text))
                .collect::<HashSet<_>>()
            {
                *hunks.entry(word).or_default() += 1;
            }
        }
        let there = file
            .hunks
            .iter()
            .flat_map(|hunk| hunk.lines.iter())
            .filter(|line| line.kind != LineKind::Removed);
        for word in there
            .filter(|line| !lexical.is_comment_line(line.text))
            .flat_map(|line| words(line.text))
        {
            hunks.remove(word);
        }
        Self {
            hunks: hunks
                .into_iter()
                .map(|(word, count)| (word.to_owned(), count))
                .collect(),
        }
    }

    /// The number of hunks in which it was removed, if the file removes the name.
    pub(super) fn hunks(&self, name: &str) -> Option<usize> {
        self.hunks.get(name).copied()
    }
}
