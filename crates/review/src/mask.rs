//! Masks secrets in the texts of findings: rules and models quote code, and their texts are stored and published.

use std::fmt;

use crate::diff::Hunk;
use crate::finding::Category;

/// Lines before and after the finding's line that its texts may quote.
const LINES_BEFORE: usize = 3;
const LINES_AFTER: usize = 12;
/// Bytes of a line that are searched for secrets.
const LINE_BYTES: usize = 2_000;

/// The code that a finding is about.
#[derive(Debug, Clone, Copy)]
pub struct FindingCode<'a> {
    /// The category of the finding.
    pub category: Category,
    /// The path of its file.
    pub path: &'a str,
    /// Its line and the lines around it.
    pub lines: &'a [&'a str],
}

/// Masks secrets in the texts of findings: summaries, suggested fixes, replacements, reasons of suppressions. The pipeline
/// applies it once to all texts of a finding, whichever engine it comes from. This crate does not know what secrets look like,
/// so the function is passed in.
#[derive(Clone, Copy)]
pub struct TextMask(pub fn(FindingCode<'_>, &mut [&mut String]));

impl Default for TextMask {
    /// Masks nothing.
    fn default() -> Self {
        Self(|_, _| ())
    }
}

impl fmt::Debug for TextMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TextMask")
    }
}

/// The lines around a line of a hunk.
pub(crate) fn around<'d>(hunk: &Hunk<'d>, line: usize) -> Vec<&'d str> {
    let lines = hunk
        .lines
        .iter()
        .skip(line.saturating_sub(LINES_BEFORE))
        .take(line.min(LINES_BEFORE) + 1 + LINES_AFTER);
    lines
        .map(|line| {
            line.text
                .get(..line.text.floor_char_boundary(LINE_BYTES))
                .unwrap_or_default()
        })
        .collect()
}
