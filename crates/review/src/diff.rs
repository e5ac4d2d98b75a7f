//! A parsed unified diff that borrows from its text and knows every line's number on both sides.
//!
//! [`Diff::parse`] reads what `git diff`, `git show`, `git format-patch`, `git diff --cc`, `diff -u`, `svn diff` and
//! `hg diff` write. It never guesses: a hunk whose counts do not match its lines is an error with the line and the
//! reason.
//!
//! The crate `diffy` undoes the quotes of paths and takes `diff --git` lines apart (`path`). Hunks and the other header
//! lines are read here: `diffy` passes over combined diffs and over lines that follow a hunk which announces too few,
//! knows four file modes only, keeps no line numbers, no hunk header and no place of an error, and its errors quote the
//! text. A front that puts this right would read every line a second time.

use std::borrow::Cow;

use crate::budget::Budget;

mod binary;
mod body;
mod colour;
mod cursor;
mod extent;
mod git;
mod header;
mod hunk;
mod model;
mod parents;
mod path;
mod plain;
mod reader;
mod section;

pub use extent::Extent;
pub use model::{Diff, DiffError, FileDiff, Hunk, Line, LineKind, Side, Span, Status, Unread};

impl<'a> Diff<'a> {
    /// Parses the text of a diff.
    ///
    /// A text whose lines end in CRLF loses its carriage returns; a carriage return of a file's content stays. Where
    /// trailing white space was stripped, an empty line of a hunk is an empty context line. A combined diff does not
    /// tell whether a file's last line has a line feed, so its lines count as terminated. A property of svn counts as
    /// a mode.
    ///
    /// # Errors
    /// The text has no file, a file header is unclear or has no change, a hunk header does not fit its lines, a line
    /// follows a hunk and belongs to none, hunks overlap, or the text is coloured: colour stands inside the lines, so
    /// they cannot be borrowed. [`OwnedDiff::parse`] takes the colour off first.
    pub fn parse(text: &'a str) -> Result<Diff<'a>, DiffError> {
        Self::parse_within(text, &Budget::of_bytes(text.len())).map_err(DiffError::from)
    }

    /// Parses the text of a diff, as [`Diff::parse`], as far as the budget goes.
    ///
    /// # Errors
    /// As [`Diff::parse`], or the budget ended.
    pub fn parse_within(text: &'a str, budget: &Budget) -> Result<Diff<'a>, Unread> {
        match colour::first_line(text) {
            Some(line) => {
                Err(DiffError { line, reason: "the diff is coloured: it is needed without colour codes".into() }.into())
            }
            None => reader::read(text, budget),
        }
    }
}

self_cell::self_cell!(
    /// A diff together with the text it borrows from, so that it can be moved between tasks.
    pub struct OwnedDiff {
        owner: String,
        #[covariant]
        dependent: Diff,
    }

    impl {Debug}
);

impl OwnedDiff {
    /// Parses `text` and keeps it. If it is a coloured diff (`git diff --color=always`), it is kept without the colour.
    ///
    /// # Errors
    /// As [`Diff::parse`], but for colour.
    pub fn parse(text: String) -> Result<Self, DiffError> {
        let budget = Budget::of_bytes(text.len());
        Self::parse_within(text, &budget).map_err(DiffError::from)
    }

    /// Parses `text` and keeps it, as [`OwnedDiff::parse`], as far as the budget goes.
    ///
    /// # Errors
    /// As [`OwnedDiff::parse`], or the budget ended.
    pub fn parse_within(text: String, budget: &Budget) -> Result<Self, Unread> {
        let text = match colour::strip(&text) {
            Cow::Owned(plain) => plain,
            Cow::Borrowed(_) => text,
        };
        Self::try_new(text, |text| Diff::parse_within(text, budget))
    }

    /// Its text, without colour.
    #[must_use]
    pub fn text(&self) -> &str {
        self.borrow_owner()
    }

    /// The parsed diff.
    #[must_use]
    pub fn diff(&self) -> &Diff<'_> {
        self.borrow_dependent()
    }
}
