//! The block of a file that svn, CVS or quilt announces with `Index: PATH` and a row of `=`.
//!
//! Such a block may contain no unified change: an empty file, a binary one, or changed properties. Any other line in it
//! could be a change in another format, so lines that are not notes of a known tool are rejected.

use super::model::{FileDiff, Status};
use super::plain;

/// Prefixes of notes that are irrelevant for the review: those of CVS, and a row of `=`.
const NOTES: [&str; 6] = [
    "=====", "RCS file: ", "retrieving revision ", "diff ", "cvs ", "? ",
];

/// svn's note below that of a binary file.
const MIME_TYPE: &str = "svn:mime-type = ";

/// A block whose file has not been read yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Index<'a> {
    pub(super) path: &'a str,
    /// A note states that the file is binary.
    binary: bool,
}

/// The kind of a line in a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Note {
    /// Part of the header.
    Header,
    /// The content is binary, so it is not shown.
    Binary,
    /// The header of the file's changed properties, which ends the block.
    Properties,
    /// The line is after the block.
    End,
}

impl<'a> Index<'a> {
    /// The block that starts at a line, given the line after it.
    pub(super) fn at(line: &'a str, next: &str) -> Option<Self> {
        let path = line
            .strip_prefix("Index: ")
            .filter(|path| !path.is_empty() && next.starts_with("====="))?;
        Some(Self {
            path,
            binary: false,
        })
    }

    /// The kind of a line in the block, given the line after it; `None` if it is not a note of a known tool. svn
    /// translates its notes, so they are also recognized by the line below them.
    pub(super) fn note(&self, line: &str, next: &str) -> Option<Note> {
        if line.is_empty() || NOTES.iter().any(|note| line.starts_with(note)) {
            Some(Note::Header)
        } else if line.starts_with("Cannot display: ") || next.starts_with(MIME_TYPE) {
            Some(Note::Binary)
        } else if self.binary && line.starts_with(MIME_TYPE) {
            Some(Note::Header)
        } else if plain::is_binary_note(line) && !self.binary {
            Some(Note::Binary)
        } else if next.len() == 67 && is_row_of('_', next) {
            Some(Note::Properties)
        } else {
            let is_log = is_row_of('-', line) && is_revision(next);
            (is_log || plain::is_named(line)).then_some(Note::End)
        }
    }

    pub(super) fn set_binary(&mut self) {
        self.binary = true;
    }

    /// The file, once the block has ended without a change of its content.
    pub(super) fn file(self, status: Status) -> FileDiff<'a> {
        let status = if self.binary {
            Status::Modified
        } else {
            status
        };
        plain::bare_file((self.path.into(), self.path.into()), status, self.binary)
    }
}

fn is_row_of(character: char, line: &str) -> bool {
    line.chars().all(|c| c == character)
}

/// The header of a revision in `svn log --diff`: `r12 | name | date`.
pub(super) fn is_revision(line: &str) -> bool {
    let number = line
        .strip_prefix('r')
        .and_then(|rest| rest.split_once(" | "))
        .map_or("", |(number, _)| number);
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
