//! The lines that a whole file adds, for finding code that moved between its hunks.

use std::collections::{HashMap, HashSet};

use review::{Chunk, LineKind};

use super::edit_block::EditBlock;
use super::removed_names::RemovedIdentifiers;
use super::renames::Renames;

/// The lines that a whole file adds, for finding code that moved between its hunks.
pub(crate) struct Added {
    /// All added lines, concatenated, without white space.
    pub(super) text: String,
    pub(super) lines: HashSet<String>,
    pub(super) size: EditBlock,
    /// How often each line was removed, by the line without white space.
    pub(super) removed: HashMap<String, usize>,
    pub(super) renames: Renames,
    pub(super) removed_identifiers: RemovedIdentifiers,
}

impl Added {
    pub(crate) fn new(file: &Chunk<'_>) -> Self {
        let added = file
            .hunks
            .iter()
            .flat_map(|hunk| hunk.lines.iter())
            .filter(|line| line.kind == LineKind::Added);
        let (mut text, mut lines) = (String::new(), HashSet::new());
        for line in added {
            let squeezed = squeeze(line.text);
            text.push_str(&squeezed);
            lines.insert(squeezed);
        }
        let all = || file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let count = |kind| {
            all()
                .filter(|line| line.kind == kind && line.text.chars().any(char::is_alphanumeric))
                .count()
        };
        let size = EditBlock {
            removed: count(LineKind::Removed),
            added: count(LineKind::Added),
        };
        let mut removed = HashMap::new();
        for line in all().filter(|line| line.kind == LineKind::Removed) {
            *removed.entry(squeeze(line.text)).or_default() += 1;
        }
        let renames = if removed.is_empty() {
            Renames::default()
        } else {
            Renames::of(file)
        };
        let removed_identifiers = if removed.is_empty() {
            RemovedIdentifiers::default()
        } else {
            RemovedIdentifiers::of(file)
        };
        Self {
            text,
            lines,
            size,
            removed,
            renames,
            removed_identifiers,
        }
    }
}

/// Text without white space.
pub fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
