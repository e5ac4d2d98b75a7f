//! The model of a diff: files, hunks, lines; and the errors of parsing.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::budget::Spent;

/// A whole diff.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff<'a> {
    /// The files, in diff order.
    pub files: Vec<FileDiff<'a>>,
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff<'a> {
    /// Path before the change, unquoted and without `a/`; `None` for an added file.
    pub old_path: Option<Cow<'a, str>>,
    /// Path after the change, unquoted and without `b/`; `None` for a removed file.
    pub new_path: Option<Cow<'a, str>>,
    /// How the change affects the file as a whole.
    pub status: Status,
    /// File mode before the change (git's octal digits, as a number), if the diff contains it.
    pub old_mode: Option<u32>,
    /// File mode after the change, if the diff contains it.
    pub new_mode: Option<u32>,
    /// The content is binary, so there are no hunks.
    pub binary: bool,
    /// The diff only names the file, as `Only in` of `diff -r` does: its content is not shown.
    pub is_unshown: bool,
    /// Whether it is test code according to the repository's configuration; `None` if its path decides.
    pub is_test: Option<bool>,
    /// The hunks, in order.
    pub hunks: Vec<Hunk<'a>>,
}

/// How a change affects a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The file is new.
    Added,
    /// The file was removed.
    Removed,
    /// The file's content changed.
    Modified,
    /// The file was renamed; its content may have changed, too.
    Renamed,
    /// The file is a copy of another; its content may differ.
    Copied,
    /// Only the file's mode changed.
    ModeChanged,
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// The header line exactly as in the diff (without its line end), including the section heading.
    pub header: &'a str,
    /// The section heading after the closing `@@`, without surrounding white space; often the enclosing function.
    pub heading: &'a str,
    /// First line and number of lines on the old side (of the first parent in a combined diff).
    pub old: Span,
    /// First line and number of lines on the new side.
    pub new: Span,
    /// The lines, in order.
    pub lines: Vec<Line<'a>>,
}

/// A range of lines on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Number of the first line, from 1; 0 if the side is empty and the hunk header contains 0.
    pub start: u32,
    /// Number of lines.
    pub count: u32,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line<'a> {
    /// Context, added or removed.
    pub kind: LineKind,
    /// Number on the old side, from 1; `None` for an added line. In a combined diff also `None` for a line that the first
    /// parent does not have, or whose number is unknown because `git diff --cc` omitted lines before it.
    pub old: Option<u32>,
    /// Number on the new side, from 1; `None` for a removed line.
    pub new: Option<u32>,
    /// The text without the marker column and the line feed; a carriage return before it is kept.
    pub text: &'a str,
    /// The line ends with a line feed (`false` before `\ No newline at end of file`).
    pub terminated: bool,
}

/// The marker of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineKind {
    /// On both sides.
    Context,
    /// On the new side only.
    Added,
    /// On the old side only.
    Removed,
}

/// A side of the diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Side {
    /// After the change: added and context lines.
    New,
    /// Before the change: removed lines.
    Old,
}

/// A parse error.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct DiffError {
    /// The offending line of the diff text, from 1.
    pub line: usize,
    /// The problem, in one sentence that never quotes the diff.
    pub reason: String,
}

/// Why a diff was not parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The text is not a valid diff.
    #[error(transparent)]
    Invalid(#[from] DiffError),
    /// The budget ended first, so the text's validity is unknown.
    #[error("the diff was not read: {0}")]
    Spent(#[from] Spent),
}

impl From<Unread> for DiffError {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Invalid(error) => error,
            Unread::Spent(spent) => Self {
                line: 1,
                reason: spent.to_string(),
            },
        }
    }
}

impl<'a> FileDiff<'a> {
    /// The display path: the new one, or the old one of a removed file.
    #[must_use]
    pub fn path(&self) -> &str {
        self.new_path
            .as_deref()
            .or(self.old_path.as_deref())
            .unwrap_or_default()
    }

    /// The path on a side, or the other side's if it has none.
    #[must_use]
    pub fn path_on(&self, side: Side) -> &str {
        match side {
            Side::New => self.path(),
            Side::Old => self
                .old_path
                .as_deref()
                .or(self.new_path.as_deref())
                .unwrap_or_default(),
        }
    }
}

impl Line<'_> {
    /// The side of a finding on this line: old for a removed line, otherwise new.
    #[must_use]
    pub fn side(&self) -> Side {
        match self.kind {
            LineKind::Removed => Side::Old,
            LineKind::Context | LineKind::Added => Side::New,
        }
    }

    /// The line's number on [`Line::side`].
    #[must_use]
    pub fn number(&self) -> Option<u32> {
        match self.side() {
            Side::New => self.new,
            Side::Old => self.old,
        }
    }
}
