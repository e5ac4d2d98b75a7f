//! The lines of a text, one at a time, with their numbers.

use super::model::DiffError;
use crate::budget::{Budget, Spent};

/// Lines, and stretches of long lines, that are paid for at once.
const BATCH: u64 = 256;
/// Bytes of a line that cost a step.
const STRETCH: usize = 256;

/// One line of the text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    /// The line without its line feed.
    pub(super) raw: &'a str,
    /// Its number in the text, from 1.
    pub(super) number: usize,
}

impl<'a> Row<'a> {
    /// The line without its line end, be it a line feed alone or with a carriage return.
    pub(super) fn bare(self) -> &'a str {
        self.raw.strip_suffix('\r').unwrap_or(self.raw)
    }

    /// The line as a part of a section whose line ends are CRLF or not.
    pub(super) fn in_section(self, crlf: bool) -> &'a str {
        if crlf { self.bare() } else { self.raw }
    }

    /// The line's header line ends in CRLF, and so does every line of the section that it opens.
    pub(super) fn is_crlf(self) -> bool {
        self.raw.ends_with('\r')
    }

    /// An error at this line.
    pub(super) fn error(self, reason: impl Into<String>) -> DiffError {
        DiffError { line: self.number, reason: reason.into() }
    }
}

/// A position between the lines of a text.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    row: Option<Row<'a>>,
    rest: &'a str,
    last: usize,
    budget: Budget,
    /// Steps that are not paid for yet.
    steps: u64,
    spent: Option<Spent>,
}

impl<'a> Cursor<'a> {
    /// The position before the first line.
    pub(super) fn new(text: &'a str, budget: &Budget) -> Self {
        let mut cursor = Self { row: None, rest: text, last: 0, budget: budget.clone(), steps: 0, spent: None };
        cursor.advance();
        cursor
    }

    /// The next line.
    pub(super) fn peek(&self) -> Option<Row<'a>> {
        self.row
    }

    /// The next line without its line end; empty at the end of the text.
    pub(super) fn bare(&self) -> &'a str {
        self.row.map(Row::bare).unwrap_or_default()
    }

    /// The line after the next one without its line end; empty at the end of the text.
    pub(super) fn following(&self) -> &'a str {
        let raw = self.rest.split_once('\n').map_or(self.rest, |(raw, _)| raw);
        Row { raw, number: 0 }.bare()
    }

    /// Why the text was not read to its end.
    pub(super) fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Goes past the next line. Where the budget ends, the text does.
    pub(super) fn advance(&mut self) {
        if self.steps >= BATCH {
            self.spent = self.spent.or(self.budget.draw(std::mem::take(&mut self.steps)).err());
        }
        if self.rest.is_empty() || self.spent.is_some() {
            self.row = None;
            return;
        }
        let (raw, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.last += 1;
        self.steps = self.steps.saturating_add(1 + u64::try_from(raw.len() / STRETCH).unwrap_or(u64::MAX));
        self.row = Some(Row { raw, number: self.last });
        self.rest = rest;
    }

    /// An error at the next line, or at the last one of the text.
    pub(super) fn error(&self, reason: impl Into<String>) -> DiffError {
        DiffError { line: self.last.max(1), reason: reason.into() }
    }
}
