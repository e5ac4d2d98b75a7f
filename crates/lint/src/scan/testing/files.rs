//! The files of an example as a review gets them.

use std::collections::BTreeMap;

use review::{Chunk, LineKind};

/// The files of an example.
#[derive(Clone, Default)]
pub struct ExampleFiles<'a> {
    /// Those that the change touches.
    pub changed: Vec<Chunk<'a>>,
    /// The others.
    pub unchanged: Vec<Chunk<'a>>,
    /// The former paths of renamed files, by their index.
    pub(super) old_paths: BTreeMap<usize, &'a str>,
}

/// The text of a file after the change.
pub(super) fn text(file: &Chunk<'_>) -> String {
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let lines = lines.filter(|line| line.kind != LineKind::Removed);
    lines.flat_map(|line| [line.text, "\n"]).collect()
}
