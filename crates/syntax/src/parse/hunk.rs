//! The input of the parser: a hunk and its file's metadata.

use review::{Chunk, Hidden, Line, Status, Version};

use crate::language::Grammar;

/// Metadata of the file.
#[derive(Debug, Clone, Copy)]
pub struct FileContext<'a> {
    /// Its path.
    pub path: &'a str,
    /// Linguist's name of its language; empty if unknown.
    pub language: &'a str,
    /// Its grammar, if there is one.
    pub grammar: Option<Grammar>,
    /// It is a test or test support.
    pub is_test: bool,
    /// Only the project's maintainers run it, to build, check or release the project.
    pub is_script: bool,
    /// The version of the language that its project declares.
    pub version: Option<Version>,
    /// The status of the file in the diff.
    pub status: Status,
    /// Why the file is not reviewed, if the change hides it.
    pub hidden: Option<&'a Hidden>,
    /// Its index in the diff.
    pub index: usize,
}

/// A hunk, borrowed.
#[derive(Clone, Copy)]
pub struct Hunk<'a> {
    /// The text that git shows after the line numbers, usually the enclosing definition.
    pub heading: &'a str,
    /// Its lines.
    pub lines: &'a [Line<'a>],
}

/// The hunks of a file.
pub fn hunks<'a>(file: &'a Chunk<'_>) -> impl Iterator<Item = Hunk<'a>> {
    file.hunks.iter().map(|hunk| Hunk {
        heading: &hunk.heading,
        lines: &hunk.lines,
    })
}
