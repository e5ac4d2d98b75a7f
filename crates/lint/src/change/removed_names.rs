//! The names that a file removes.

use std::collections::{HashMap, HashSet};

use review::{Chunk, LineKind};

use super::renames::words;

/// The names that are on removed lines of a file and not on its new side.
#[derive(Debug, Default)]
pub(crate) struct RemovedIdentifiers {
    /// By name: the hunks in which it was removed.
    hunks: HashMap<String, usize>,
}

impl RemovedIdentifiers {
    pub(crate) fn of(file: &Chunk<'_>) -> Self {
        let mut hunks = HashMap::<&str, usize>::new();
        for hunk in &file.hunks {
            let removed = hunk.lines.iter().filter(|line| line.kind == LineKind::Removed && !is_comment(line.text));
            for word in removed.flat_map(|line| words(line.text)).collect::<HashSet<_>>() {
                *hunks.entry(word).or_default() += 1;
            }
        }
        let there = file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).filter(|line| line.kind != LineKind::Removed);
        for word in there.filter(|line| !is_comment(line.text)).flat_map(|line| words(line.text)) {
            hunks.remove(word);
        }
        Self { hunks: hunks.into_iter().map(|(word, count)| (word.to_owned(), count)).collect() }
    }

    /// The number of hunks in which it was removed, if the file removes the name.
    pub(super) fn hunks(&self, name: &str) -> Option<usize> {
        self.hunks.get(name).copied()
    }
}

fn is_comment(line: &str) -> bool {
    ["//", "/*", "* ", "# ", "--"].iter().any(|mark| line.trim_start().starts_with(mark))
}
