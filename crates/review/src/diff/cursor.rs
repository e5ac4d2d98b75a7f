//! A cursor over the numbered lines of a text.

use super::model::DiffError;
use crate::budget::{Budget, Spent};

/// Lines, and parts of long lines, that are drawn from the budget together.
const BATCH: u64 = 256;
/// Bytes of a line per step.
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
    /// The line without its line end, LF or CRLF.
    pub(super) fn bare(self) -> &'a str {
        self.raw.strip_suffix('\r').unwrap_or(self.raw)
    }

    /// The line in a section whose line ends may be CRLF.
    pub(super) fn in_section(self, crlf: bool) -> &'a str {
        if crlf { self.bare() } else { self.raw }
    }

    /// Whether this header line ends in CRLF, and with it every line of its section.
    pub(super) fn is_crlf(self) -> bool {
        self.raw.ends_with('\r')
    }

    /// An error at this line.
    pub(super) fn error(self, reason: impl Into<String>) -> DiffError {
        DiffError {
            line: self.number,
            reason: reason.into(),
        }
    }
}

/// A position between the lines of a text.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    row: Option<Row<'a>>,
    rest: &'a str,
    last: usize,
    budget: Budget,
    /// Steps not yet drawn from the budget.
    steps: u64,
    spent: Option<Spent>,
}

impl<'a> Cursor<'a> {
    /// The position before the first line.
    pub(super) fn new(text: &'a str, budget: &Budget) -> Self {
        let mut cursor = Self {
            row: None,
            rest: text,
            last: 0,
            budget: budget.clone(),
            steps: 0,
            spent: None,
        };
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

    /// Why the text was not read to its end, if the budget ended.
    pub(super) fn spent(&self) -> Option<Spent> {
        self.spent
    }

    /// Moves past the next line. When the budget ends, the text ends for the reader.
    pub(super) fn advance(&mut self) {
        if self.steps >= BATCH {
            self.spent = self
                .spent
                .or(self.budget.draw(std::mem::take(&mut self.steps)).err());
        }
        if self.rest.is_empty() || self.spent.is_some() {
            self.row = None;
            return;
        }
        let (raw, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        self.last += 1;
        self.steps = self
            .steps
            .saturating_add(1 + u64::try_from(raw.len() / STRETCH).unwrap_or(u64::MAX));
        self.row = Some(Row {
            raw,
            number: self.last,
        });
        self.rest = rest;
    }

    /// An error at the next line, or at the last line of the text.
    pub(super) fn error(&self, reason: impl Into<String>) -> DiffError {
        DiffError {
            line: self.last.max(1),
            reason: reason.into(),
        }
    }
}
