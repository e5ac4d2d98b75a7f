//! What a diff is: files, hunks, lines; and why a text is none.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::budget::Spent;

/// A whole diff.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Diff<'a> {
    /// The files, in the order of the diff.
    pub files: Vec<FileDiff<'a>>,
}

/// The change of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileDiff<'a> {
    /// Path before the change, unquoted and without `a/`; `None` for an added file.
    pub old_path: Option<Cow<'a, str>>,
    /// Path after the change, unquoted and without `b/`; `None` for a removed file.
    pub new_path: Option<Cow<'a, str>>,
    /// What happened to the file as a whole.
    pub status: Status,
    /// File mode before the change (git's octal digits, as a number), where the diff tells it.
    pub old_mode: Option<u32>,
    /// File mode after the change, where the diff tells it.
    pub new_mode: Option<u32>,
    /// The content is binary, so there are no hunks.
    pub binary: bool,
    /// The hunks, in order.
    pub hunks: Vec<Hunk<'a>>,
}

/// What happened to a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Status {
    /// The file is new.
    Added,
    /// The file is gone.
    Removed,
    /// The file's content changed.
    Modified,
    /// The file moved; its content may have changed too.
    Renamed,
    /// The file is a copy of another; its content may differ.
    Copied,
    /// Only the file's mode changed.
    ModeChanged,
}

/// One hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// The header line exactly as it stands in the diff (without its line end), section heading included.
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

/// A run of lines on one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Number of the first line, from 1; 0 where the side is empty and the hunk says so.
    pub start: u32,
    /// Number of lines.
    pub count: u32,
}

/// One line of a hunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line<'a> {
    /// Context, added or removed.
    pub kind: LineKind,
    /// Number on the old side, from 1; `None` for an added line (and for a line of a combined diff that the first
    /// parent does not have, or whose number `git diff --cc` does not tell, since it left lines out before it).
    pub old: Option<u32>,
    /// Number on the new side, from 1; `None` for a removed line.
    pub new: Option<u32>,
    /// The text without the marker column and without the line feed; a carriage return before it stays.
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

/// Why a text is not a diff.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct DiffError {
    /// Number of the offending line of the diff text, from 1.
    pub line: usize,
    /// What is wrong with it, in one sentence that never quotes the diff's content.
    pub reason: String,
}

/// Why a diff was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unread {
    /// The text is not a diff.
    #[error(transparent)]
    Invalid(#[from] DiffError),
    /// The budget ended first: nothing is said of the text.
    #[error("the diff was not read: {0}")]
    Spent(#[from] Spent),
}

impl From<Unread> for DiffError {
    fn from(unread: Unread) -> Self {
        match unread {
            Unread::Invalid(error) => error,
            Unread::Spent(spent) => Self { line: 1, reason: spent.to_string() },
        }
    }
}

impl<'a> FileDiff<'a> {
    /// The path to show for the file: the new one, or the old one of a removed file.
    #[must_use]
    pub fn path(&self) -> &str {
        self.new_path.as_deref().or(self.old_path.as_deref()).unwrap_or_default()
    }

    /// The path on one side, or the other's where the side has none.
    #[must_use]
    pub fn path_on(&self, side: Side) -> &str {
        match side {
            Side::New => self.path(),
            Side::Old => self.old_path.as_deref().or(self.new_path.as_deref()).unwrap_or_default(),
        }
    }
}

impl Line<'_> {
    /// The side that a finding on this line is on: old for a removed line, else new.
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
