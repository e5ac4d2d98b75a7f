//! Converts byte columns to character columns.
//!
//! Nodes have byte offsets. Characters are counted only for the final findings: counting on each report would count a
//! line with a thousand reports a thousand times.

use std::collections::HashMap;

use review::{Candidate, Chunk, Replacement, Side, Span};

/// The lines of a file by side and number, without their line ends.
type Lines<'a> = HashMap<(Side, u32), &'a str>;

/// Converts the columns of findings from bytes to characters. A span that does not fit its lines is dropped.
pub(super) fn count_characters(file: &Chunk<'_>, found: &mut [Candidate]) {
    if found
        .iter()
        .all(|candidate| candidate.span.is_none() && candidate.replacement.is_none())
    {
        return;
    }
    let lines = lines_of(file);
    for candidate in found {
        candidate.span = candidate
            .span
            .and_then(|span| counted(span, (candidate.side, candidate.line), &lines));
        candidate.replacement = candidate.replacement.take().and_then(|replacement| {
            let span = counted(replacement.span, (Side::New, replacement.line), &lines)?;
            Some(Replacement {
                span,
                ..replacement
            })
        });
    }
}

fn lines_of<'a>(file: &'a Chunk<'_>) -> Lines<'a> {
    let lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    let numbered = lines.filter_map(|line| {
        Some((
            (line.side(), line.number()?),
            line.text.trim_end_matches('\r'),
        ))
    });
    numbered.collect()
}

fn counted(span: Span, (side, line): (Side, u32), lines: &Lines<'_>) -> Option<Span> {
    let (first, last) = (
        lines.get(&(side, line))?,
        lines.get(&(side, span.end_line))?,
    );
    let (start_column, end_column) = (
        column(first, span.start_column)?,
        column(last, span.end_column)?,
    );
    Some(Span {
        start_column,
        end_column,
        ..span
    })
}

/// The character column of a byte column.
fn column(line: &str, bytes: u32) -> Option<u32> {
    let before = line.get(..usize::try_from(bytes).ok()?.checked_sub(1)?)?;
    u32::try_from(before.chars().count() + 1).ok()
}

#[cfg(test)]
mod tests;
