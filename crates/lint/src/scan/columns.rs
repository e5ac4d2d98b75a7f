//! Columns that count characters.
//!
//! A node knows the bytes before it. Characters are counted here, when the findings are sorted out: a line on which a
//! thousand nodes were reported would have been counted a thousand times.

use std::collections::HashMap;

use review::{Candidate, Chunk, Side, Span};

/// The lines of a file by side and number, without their line ends.
type Lines<'a> = HashMap<(Side, u32), &'a str>;

/// Makes the columns of findings, which count bytes, count characters. A span that does not fit its lines is dropped.
pub(super) fn count_characters(file: &Chunk<'_>, found: &mut [Candidate]) {
    if found.iter().all(|candidate| candidate.span.is_none()) {
        return;
    }
    let lines = lines_of(file);
    for candidate in found {
        candidate.span = candidate.span.and_then(|span| counted(span, candidate, &lines));
    }
}

fn lines_of<'a>(file: &'a Chunk<'_>) -> Lines<'a> {
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let numbered = lines.filter_map(|line| Some(((line.side(), line.number()?), line.text.trim_end_matches('\r'))));
    numbered.collect()
}

fn counted(span: Span, of: &Candidate, lines: &Lines<'_>) -> Option<Span> {
    let (first, last) = (lines.get(&(of.side, of.line))?, lines.get(&(of.side, span.end_line))?);
    let (start_column, end_column) = (column(first, span.start_column)?, column(last, span.end_column)?);
    Some(Span { start_column, end_column, ..span })
}

/// The column of the character that stands in a column of bytes.
fn column(line: &str, bytes: u32) -> Option<u32> {
    let before = line.get(..usize::try_from(bytes).ok()?.checked_sub(1)?)?;
    u32::try_from(before.chars().count() + 1).ok()
}

#[cfg(test)]
mod tests;
