//! Chunks: the parts of a diff that are done, fail or run out of time by themselves.
//!
//! A chunk holds hunks of one file. A file has more than one chunk only when it exceeds the chunk size, and a hunk is split
//! only when it alone does, before a line that starts a new top-level piece where there is one. So one huge file costs that
//! file and not the review.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Spent};
use crate::classify::{Class, classify};
use crate::diff::{Diff, FileDiff, Hunk, Line, LineKind, Status};
use crate::language::Language;
use crate::warning::{Warning, WarningCode};

/// Hunks of one file. It is also what crosses the pipe to a worker process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk<'a> {
    /// Index of the file in the diff.
    pub index: usize,
    /// The path to show: new side, or old side of a removed file.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// The language that the file is read as; `None` where it is unknown (only text rules apply).
    pub language: Option<Language>,
    /// What happened to the file.
    pub status: Status,
    /// The file is a test or belongs to one.
    pub is_test: bool,
    /// Its hunks, or parts of them, in order.
    #[serde(borrow)]
    pub hunks: Vec<ChunkHunk<'a>>,
}

/// A hunk, or a part of one, in a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkHunk<'a> {
    /// The section heading after the closing `@@`: often the enclosing function.
    #[serde(borrow)]
    pub heading: Cow<'a, str>,
    /// The lines with their numbers.
    #[serde(borrow)]
    pub lines: Cow<'a, [Line<'a>]>,
}

/// How large chunks may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of text in one chunk.
    pub chunk_bytes: usize,
    /// Bytes of one line; what is longer is cut for analysis, with a warning.
    pub line_bytes: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self { chunk_bytes: 128 * 1024, line_bytes: 1024 * 1024 }
    }
}

/// What will be analysed, and what will not.
#[derive(Debug, Clone, Default)]
pub struct Plan<'a> {
    /// The chunks, in the order of the diff.
    pub chunks: Vec<Chunk<'a>>,
    /// A warning for each file that is left out or cut.
    pub warnings: Vec<Warning>,
    /// Why files were left out that would have been analysed, if any were.
    pub(crate) spent: Option<Spent>,
}

/// Cuts a diff into chunks.
#[must_use]
pub fn plan<'a>(diff: &'a Diff<'a>, target: Option<Language>, sizes: &Sizes) -> Plan<'a> {
    let mut plan = Plan::default();
    for (index, file) in diff.files.iter().enumerate() {
        plan.add(index, file, target, sizes);
    }
    plan
}

/// As [`plan`], as far as the budget goes: a file beyond it is left out, with a warning.
pub(crate) async fn plan_within<'a>(
    diff: &'a Diff<'a>,
    target: Option<Language>,
    sizes: &Sizes,
    budget: &Budget,
) -> Plan<'a> {
    let mut plan = Plan::default();
    for (index, file) in diff.files.iter().enumerate() {
        let lines: usize = file.hunks.iter().map(|hunk| hunk.lines.len()).sum();
        match budget.turn(1 + u64::try_from(lines).unwrap_or(u64::MAX)).await {
            Ok(()) => plan.add(index, file, target, sizes),
            Err(why) => {
                let message = format!("this file was not analysed: {why}");
                plan.warnings.push(Warning::file(WarningCode::ChunkFailed, file.path(), message));
                plan.spent = Some(why);
            }
        }
    }
    plan
}

impl<'a> Plan<'a> {
    fn add(&mut self, index: usize, file: &'a FileDiff<'a>, target: Option<Language>, sizes: &Sizes) {
        let class = classify(file, target);
        if let Some(warning) = class.skipped(file.path()) {
            self.warnings.push(warning);
            return;
        }
        if class.language.is_none() && !file.hunks.is_empty() {
            let message = "The language of the file is not known: only the rules for plain text looked at it.";
            self.warnings.push(Warning::file(WarningCode::LanguageNotSupported, file.path(), message));
        }
        if file.hunks.iter().flat_map(|hunk| &hunk.lines).any(|line| line.text.len() > sizes.line_bytes) {
            let message = format!("a line longer than {} bytes was cut for analysis", sizes.line_bytes);
            self.warnings.push(Warning::file(WarningCode::LineTruncated, file.path(), message));
        }
        self.chunks.extend(parts_of(file, sizes).into_iter().map(|hunks| chunk(index, file, &class, hunks)));
    }
}

fn chunk<'a>(index: usize, file: &'a FileDiff<'a>, class: &Class, hunks: Vec<ChunkHunk<'a>>) -> Chunk<'a> {
    Chunk {
        index,
        path: Cow::Borrowed(file.path()),
        language: class.language,
        status: file.status,
        is_test: class.is_test,
        hunks,
    }
}

/// Packs a file's hunks into runs within the chunk size.
fn parts_of<'a>(file: &'a FileDiff<'a>, sizes: &Sizes) -> Vec<Vec<ChunkHunk<'a>>> {
    let mut parts: Vec<(Vec<ChunkHunk<'a>>, usize)> = Vec::new();
    for hunk in &file.hunks {
        for (lines, bytes) in split(hunk, sizes) {
            let hunk = ChunkHunk { heading: Cow::Borrowed(hunk.heading), lines };
            match parts.last_mut() {
                Some((hunks, total)) if *total + bytes <= sizes.chunk_bytes => {
                    *total += bytes;
                    hunks.push(hunk);
                }
                _ => parts.push((vec![hunk], bytes)),
            }
        }
    }
    parts.into_iter().map(|(hunks, _)| hunks).collect()
}

/// A hunk's lines in pieces within the chunk size, with the bytes of each.
fn split<'a>(hunk: &'a Hunk<'a>, sizes: &Sizes) -> Vec<(Cow<'a, [Line<'a>]>, usize)> {
    let mut pieces = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    let mut boundary = None;
    for (at, line) in hunk.lines.iter().enumerate() {
        let size = line.text.len().min(sizes.line_bytes) + 2;
        if at > start && starts_piece(line) {
            boundary = Some((at, bytes));
        }
        if at > start && bytes + size > sizes.chunk_bytes {
            let (cut, before) = boundary.take().unwrap_or((at, bytes));
            pieces.push((shorten(&hunk.lines[start..cut], sizes), before));
            start = cut;
            bytes -= before;
        }
        bytes += size;
    }
    pieces.push((shorten(&hunk.lines[start..], sizes), bytes));
    pieces
}

/// The line starts a new top-level piece: it is not indented and does not only close something.
fn starts_piece(line: &Line<'_>) -> bool {
    line.kind != LineKind::Removed
        && line.text.starts_with(|c: char| !c.is_whitespace() && !matches!(c, '}' | ')' | ']' | '"' | '\'' | '`' | '*'))
}

fn shorten<'a>(lines: &'a [Line<'a>], sizes: &Sizes) -> Cow<'a, [Line<'a>]> {
    if lines.iter().all(|line| line.text.len() <= sizes.line_bytes) {
        return Cow::Borrowed(lines);
    }
    let cut = |line: &Line<'a>| Line { text: &line.text[..line.text.floor_char_boundary(sizes.line_bytes)], ..*line };
    Cow::Owned(lines.iter().map(cut).collect())
}

#[cfg(test)]
mod tests {
    use super::{Sizes, WarningCode, plan};
    use crate::diff::Diff;
    use std::fmt::Write as _;

    fn added(path: &str, lines: &[&str]) -> String {
        let mut text = format!("--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{} @@\n", lines.len());
        for line in lines {
            writeln!(text, "+{line}").unwrap();
        }
        text
    }

    #[test]
    fn a_file_whose_language_nothing_tells_is_named() {
        let text = added("data", &["1 2 3"]) + &added("run", &["import os", "def f(x=[]):"]);
        let plan = plan(&Diff::parse(&text).unwrap(), None, &Sizes::default()).warnings;
        let [warning] = plan.as_slice() else { panic!("{plan:?}") };
        assert_eq!((warning.code, warning.file_path.as_deref()), (WarningCode::LanguageNotSupported, Some("data")));
    }

    #[test]
    fn a_hunk_beyond_the_budget_is_split_before_a_top_level_line_and_loses_nothing() {
        let lines: Vec<String> =
            (0..100).map(|i| if i % 10 == 0 { format!("def f{i}():") } else { format!("    x = {i}") }).collect();
        let text = added("a.py", &lines.iter().map(String::as_str).collect::<Vec<_>>());
        let diff = Diff::parse(&text).unwrap();
        let plan = plan(&diff, None, &Sizes { chunk_bytes: 300, line_bytes: 1_000 });
        assert!(plan.chunks.len() > 3);
        let mut numbers = Vec::new();
        for chunk in &plan.chunks {
            let lines = &chunk.hunks[0].lines;
            assert!(lines[0].text.starts_with("def "), "a piece starts at the top level");
            numbers.extend(lines.iter().filter_map(|line| line.new));
        }
        assert_eq!(numbers, (1..=100).collect::<Vec<u32>>());
    }

    #[test]
    fn a_long_line_is_cut_at_a_character_and_said() {
        let text = added("a.py", &[&"é".repeat(100)]);
        let diff = Diff::parse(&text).unwrap();
        let plan = plan(&diff, None, &Sizes { chunk_bytes: 1_000, line_bytes: 11 });
        assert_eq!(plan.chunks[0].hunks[0].lines[0].text, "ééééé");
        assert_eq!(plan.warnings.len(), 1);
    }
}
