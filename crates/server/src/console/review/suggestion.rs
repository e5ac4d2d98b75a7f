//! The replacement of a finding as a small diff.

use review::output::json::ReplacementBody;
use review::visible::visible;
use review::{Hunk, Lexical, Line, LineKind, byte_offset};

use super::syntax::{Painted, Sides, paint_text};
use super::words;

/// A longer replacement is not shown; the JSON has it.
const LINES: usize = 30;
/// Nor is one of longer lines.
const BYTES: usize = 8_000;

/// The lines that a replacement changes, and what they become.
pub(super) struct Suggestion {
    pub(super) old: Vec<Painted<'static>>,
    pub(super) new: Vec<Painted<'static>>,
    /// Whether the text on the page is the text of the lines: it may be copied.
    pub(super) is_exact: bool,
}

impl Suggestion {
    /// `None` if the hunk does not have the lines.
    pub(super) fn of(
        edit: &ReplacementBody,
        hunk: &Hunk<'_>,
        lexical: Option<&'static Lexical>,
    ) -> Option<Self> {
        let is_replaced = |line: &&Line<'_>| {
            line.kind != LineKind::Removed
                && line
                    .new
                    .is_some_and(|number| (edit.start_line..=edit.end_line).contains(&number))
        };
        let lines = hunk.lines.iter().filter(is_replaced).take(LINES + 1);
        let old: Vec<&str> = lines.map(|line| line.text.trim_end_matches('\r')).collect();
        let (first, last) = (old.first()?, old.last()?);
        let before = first.get(..byte_offset(first, edit.start_column)?)?;
        let after = last.get(byte_offset(last, edit.end_column)?..)?;
        let text = format!("{before}{}{after}", edit.text);
        let expected = usize::try_from(edit.end_line.checked_sub(edit.start_line)?).ok()? + 1;
        // A range that ends at the start of a line, or a text that is empty, may remove whole lines.
        let new: Vec<&str> = text.lines().collect();
        let bytes = text.len() + old.iter().map(|line| line.len()).sum::<usize>();
        if old.len() != expected || old.len() > LINES || new.len() > LINES || bytes > BYTES {
            return None;
        }
        let is_exact = !text
            .chars()
            .any(|c| !matches!(c, '\t' | '\n') && visible(c) != c);
        let paint = |lines: &[&str]| -> Vec<Painted<'static>> {
            let mut sides = Sides::new(lexical);
            let painted = lines.iter().map(|line| paint_text(&mut sides, line));
            painted.collect()
        };
        let (mut old_lines, mut new_lines) = (paint(&old), paint(&new));
        for ((one, other), (old, new)) in old_lines
            .iter_mut()
            .zip(&mut new_lines)
            .zip(old.iter().zip(&new))
        {
            if let Some((removed, added)) = words::changes(old, new) {
                one.mark_changes(removed);
                other.mark_changes(added);
            }
        }
        Some(Self {
            old: old_lines,
            new: new_lines,
            is_exact,
        })
    }
}
