//! The parts of a text that the parser could not parse.

use std::ops::Range;

use super::node::{ERROR, ERROR_ABOVE, EXTRA, Entry, MISSING, Tree};

/// Why a token could not be parsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unread {
    /// It is in an error.
    Error,
    /// It is in an error within another error.
    InnerError,
    /// It is missing, but the parser needs it.
    Missing,
    /// It is between the statements of a text that is otherwise parsed.
    Loose,
}

impl Tree<'_> {
    /// Whether a row could not be parsed, or is next to one that could not. The parser's result for such text is a
    /// guess.
    pub(super) fn is_recovered(&self, row: usize) -> bool {
        let made = || {
            let unread = self
                .unread()
                .filter(|(_, why)| matches!(why, Unread::Error | Unread::InnerError));
            merged(unread.map(|(rows, _)| rows.start.saturating_sub(1)..rows.end + 1)).into()
        };
        contains(self.recovered.get_or_init(made), row)
    }

    /// The rows of the text that could not be parsed or miss a token, in order and not adjacent.
    pub fn unread_rows(&self) -> Vec<Range<usize>> {
        merged(self.unread().map(|(rows, _)| rows))
    }

    /// The rows of errors, in order. If there are errors within errors, only those are returned, because an outer error
    /// begins with the first block that is not closed.
    pub fn error_rows(&self) -> impl Iterator<Item = usize> {
        let has_inner = self.unread().any(|(_, why)| why == Unread::InnerError);
        let unread = self
            .unread()
            .filter(move |(_, why)| !has_inner || *why == Unread::InnerError);
        unread.map(|(rows, _)| rows.start)
    }

    /// The tokens that could not be parsed, in document order, each with its rows.
    fn unread(&self) -> impl Iterator<Item = (Range<usize>, Unread)> {
        let is_token = |index: usize, entry: &Entry| {
            entry.end as usize <= index + 1 && entry.flags & EXTRA == 0
        };
        let tokens = self
            .entries
            .iter()
            .enumerate()
            .filter(move |(index, entry)| is_token(*index, entry));
        tokens.filter_map(|(_, entry)| {
            let parent = self.entries.get(entry.parent as usize);
            let is_error = |entry: &Entry| entry.flags & ERROR != 0;
            let is_in_error = |entry: &Entry| {
                let above = self.entries.get(entry.parent as usize);
                is_error(entry) && above.is_some_and(|above| above.flags & ERROR_ABOVE != 0)
            };
            let why = if entry.flags & MISSING != 0 {
                Unread::Missing
            } else if is_in_error(entry) || parent.is_some_and(is_in_error) {
                Unread::InnerError
            } else if entry.flags & (ERROR_ABOVE | ERROR) != 0 {
                Unread::Error
            } else if parent.is_some_and(is_error) {
                Unread::Loose
            } else {
                return None;
            };
            Some((entry.first_row as usize..entry.last_row as usize + 1, why))
        })
    }
}

/// Ranges in order of their starts, with adjacent ones merged.
fn merged(ranges: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut all: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match all.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => all.push(range),
        }
    }
    all
}

/// Whether one of these ranges, returned by [`merged`], contains a row.
fn contains(ranges: &[Range<usize>], row: usize) -> bool {
    let after = ranges.partition_point(|range| range.end <= row);
    ranges.get(after).is_some_and(|range| range.start <= row)
}
