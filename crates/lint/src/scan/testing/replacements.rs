//! Applies the replacements of a rule's findings to its examples: the code must still parse, and the finding must be gone.

use std::borrow::Cow;

use review::{Candidate, Chunk, ChunkHunk, Line, LineKind, Replacement, Side, byte_offset};
use syntax::parse::Limits;

use super::example::{Example, ExampleFile, example_files, reported};
use super::reading::readings;
use crate::registry::RuleSet;
use crate::rule::RuleInfo;

/// Checks the replacement of each finding by itself.
///
/// # Errors
/// The first incorrect replacement, with the lines that it produces.
pub(super) fn check(
    set: &RuleSet,
    rule: &RuleInfo,
    example: &Example<'_>,
    found: &[Candidate],
) -> Result<(), String> {
    let before = example_files(rule, example)?;
    for candidate in found {
        let Some(replacement) = &candidate.replacement else {
            continue;
        };
        let text = edited(&before.changed, replacement)
            .ok_or("a replacement is not within the lines of one hunk")?;
        let files = example
            .files
            .iter()
            .map(|file| apply(file, replacement, &text))
            .collect();
        let fixed = Example {
            files,
            ..Example::default()
        };
        let after = example_files(rule, &fixed)?;
        if after
            .changed
            .iter()
            .zip(&before.changed)
            .any(|(after, before)| faults(after) > faults(before))
        {
            return Err(format!(
                "a replacement produces code that cannot be parsed\n{text}"
            ));
        }
        if reported(set, rule, &after)?
            .iter()
            .any(|left| start(left) == start(candidate))
        {
            return Err(format!("a replacement does not remove its finding\n{text}"));
        }
    }
    Ok(())
}

fn start(of: &Candidate) -> (Side, u32, Option<u32>) {
    (of.side, of.line, of.span.map(|span| span.start_column))
}

/// The hunks whose new side cannot be parsed without errors.
fn faults(file: &Chunk<'_>) -> usize {
    let readings = readings(file, &Limits::default());
    readings
        .iter()
        .filter(|reading| reading.side == Side::New && !reading.clean)
        .count()
}

/// The replaced lines with the new text; `None` if they are not lines of one hunk.
fn edited(files: &[Chunk<'_>], Replacement { line, span, text }: &Replacement) -> Option<String> {
    let hunk = |hunk: &ChunkHunk<'_>| {
        let find = |number| {
            hunk.lines
                .iter()
                .find(|line| line.new == Some(number))
                .map(|line| line.text.to_owned())
        };
        Some((find(*line)?, find(span.end_line)?))
    };
    let (first, last) = files.iter().flat_map(|file| &file.hunks).find_map(hunk)?;
    let (start, end) = (
        byte_offset(&first, span.start_column)?,
        byte_offset(&last, span.end_column)?,
    );
    Some(format!("{}{text}{}", first.get(..start)?, last.get(end..)?))
}

/// A file with the new lines in place of the replaced ones.
fn apply<'e>(
    file: &'e ExampleFile<'_>,
    replacement: &Replacement,
    text: &'e str,
) -> ExampleFile<'e> {
    let replaced = replacement.line..=replacement.span.end_line;
    let hunk = |hunk: &'e ChunkHunk<'_>| {
        let mut lines: Vec<Line<'e>> = Vec::new();
        for line in hunk.lines.iter() {
            let is_replaced = line.new.is_some_and(|number| replaced.contains(&number));
            if line.new == Some(replacement.line) {
                let added = text.lines().map(|text| Line {
                    kind: LineKind::Added,
                    old: None,
                    text,
                    ..*line
                });
                lines.extend(added);
            } else if !is_replaced {
                lines.push(*line);
            }
        }
        let first = lines.iter().find_map(|line| line.new).unwrap_or(1);
        let numbers = lines.iter_mut().filter_map(|line| line.new.as_mut());
        numbers
            .zip(first..)
            .for_each(|(number, next)| *number = next);
        ChunkHunk {
            heading: Cow::Borrowed(&*hunk.heading),
            lines: Cow::Owned(lines),
        }
    };
    ExampleFile {
        hunks: file.hunks.iter().map(hunk).collect(),
        ..*file
    }
}
