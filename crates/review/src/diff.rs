//! A parsed unified diff that borrows from its text and knows every line's number on both sides.
//!
//! [`Diff::parse`] reads the output of `git diff`, `git show`, `git format-patch`, `git diff --cc`, `diff -u`, `svn diff` and
//! `hg diff`. It never guesses: a hunk whose counts do not match its lines is an error with line and reason.
//!
//! The crate `diffy` unquotes paths and splits `diff --git` lines (`path`). Hunks and the other header lines are parsed here:
//! `diffy` skips combined diffs and surplus lines after a hunk whose counts are too small, knows only four file modes, keeps
//! neither line numbers nor hunk headers nor error positions, and quotes the text in its errors. A wrapper around it would
//! have to read every line twice.

use crate::budget::Budget;

mod binary;
mod body;
mod colour;
mod cursor;
mod extent;
mod form;
mod git;
mod header;
mod hunk;
mod index;
mod mail;
mod model;
mod parents;
mod path;
mod plain;
mod reader;
mod section;
mod stamp;
mod text;

pub use extent::Extent;
pub use model::{Diff, DiffError, FileDiff, Hunk, Line, LineKind, Side, Span, Status, Unread};
pub(crate) use path::unquote;
pub use text::DiffText;

impl<'a> Diff<'a> {
    /// Parses the text of a diff.
    ///
    /// In a section with CRLF line ends the carriage returns are removed; those in a file's content are kept. An empty
    /// line in a hunk is an empty context line whose trailing white space was stripped. A combined diff does not show
    /// whether the last line of a file has a line feed, so it counts as terminated. A change of an svn property counts
    /// as a change of mode.
    ///
    /// # Errors
    /// The text contains no file, a file header is ambiguous or without a change, a change is not unified, a
    /// hunk header does not match its lines, a line after a hunk does not belong to one, hunks overlap, or the text is
    /// coloured: colour codes are inside the lines, so they cannot be borrowed. [`DiffText`] removes them, and decodes
    /// mails.
    pub fn parse(text: &'a str) -> Result<Diff<'a>, DiffError> {
        Self::parse_within(text, &Budget::of_bytes(text.len())).map_err(DiffError::from)
    }

    /// As [`Diff::parse`], within a budget.
    ///
    /// # Errors
    /// As [`Diff::parse`], or the budget ended.
    pub fn parse_within(text: &'a str, budget: &Budget) -> Result<Diff<'a>, Unread> {
        match colour::first_line(text) {
            Some(line) => Err(DiffError {
                line,
                reason: "the diff is coloured: remove the colour codes".into(),
            }
            .into()),
            None => reader::read(text, budget),
        }
    }
}

self_cell::self_cell!(
    /// A diff together with the text that it borrows from, so that it can be moved between tasks.
    pub struct OwnedDiff {
        owner: DiffText,
        #[covariant]
        dependent: Diff,
    }

    impl {Debug}
);

impl OwnedDiff {
    /// Parses and keeps `text`, which is made readable as [`DiffText::of`] does.
    ///
    /// # Errors
    /// As [`Diff::parse`], except for colour.
    pub fn parse(text: String) -> Result<Self, DiffError> {
        let budget = Budget::of_bytes(text.len());
        Self::parse_within(text, &budget).map_err(DiffError::from)
    }

    /// As [`OwnedDiff::parse`], within a budget.
    ///
    /// # Errors
    /// As [`OwnedDiff::parse`], or the budget ended.
    pub fn parse_within(text: String, budget: &Budget) -> Result<Self, Unread> {
        Self::try_new(DiffText::of(text), |text| text.parse_within(budget))
    }

    /// The readable text.
    #[must_use]
    pub fn text(&self) -> &str {
        self.borrow_owner().as_str()
    }

    /// The parsed diff.
    #[must_use]
    pub fn diff(&self) -> &Diff<'_> {
        self.borrow_dependent()
    }
}
