//! Chunks: the parts of a diff that succeed, fail or time out independently.
//!
//! A chunk contains hunks of one file. A file is split only if it exceeds the chunk size, and a hunk only if it exceeds
//! it by itself, preferably before a line that starts a top-level item. A huge file therefore affects only itself, not
//! the review.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::budget::{Budget, Spent};
use crate::candidate::MAX_RELATED;
use crate::classify::{
    Class, Deleted, HiddenBy, Kind, Known, SYMBOLIC_LINK, classify_known, has_unseen_lines,
    hidden_by, is_hook_sample, is_new_output,
};
use crate::diff::{Diff, FileDiff, Hunk, Line, LineKind, Side, Status};
use crate::language::Language;
use crate::span::Place;
use crate::version::Version;
use crate::warning::{Warning, WarningCode};
use crate::whole_file::{context_lines, shows_end, starts_file, whole_file};

/// Hunks of one file. Also the unit that is sent to a worker process.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chunk<'a> {
    /// Index of the file in the diff.
    pub index: usize,
    /// The display path: the new side's, or the old side's for a removed file.
    #[serde(borrow)]
    pub path: Cow<'a, str>,
    /// The language to parse the file as; `None` if unknown (only text rules apply).
    pub language: Option<Language>,
    /// How the change affects the file.
    pub status: Status,
    /// Whether it is test code.
    pub is_test: bool,
    /// Whether it contains all hunks of the file, none of them cut.
    pub is_complete: bool,
    /// The version of the language that the file's project declares.
    #[serde(default)]
    pub version: Option<Version>,
    /// The known parts of the file around the hunks.
    #[serde(default)]
    pub around: Around<'a>,
    /// Set if the change hides the file from review: the only line is the one that shows this.
    #[serde(default)]
    pub hidden: Option<Hidden>,
    /// Whether a tool wrote the file, and the change adds it. Only serious findings in it are reported, and no model sees it.
    #[serde(default)]
    pub by_tool: bool,
    /// Its hunks, or parts of them, in order.
    #[serde(borrow)]
    pub hunks: Vec<ChunkHunk<'a>>,
}

/// The known parts of the file around the hunks of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Around<'a> {
    /// Not known.
    #[default]
    Unknown,
    /// The only hunk contains the whole file.
    Nothing,
    /// All lines of the file, including those of the hunks. [`Chunk::widened`] makes one hunk of them.
    #[serde(skip)]
    Lines(Vec<Line<'a>>),
}

/// The files around the hunks of a diff, as provided by the caller.
#[derive(Debug, Clone, Copy, Default)]
pub enum DiffContext<'a> {
    /// The hunks may be parts of their files.
    #[default]
    Hunks,
    /// The only hunk of a file contains all of it if it begins on the first line and its context lines show that the file ends.
    AsShown,
    /// The only hunk of each file contains all of it.
    Files,
    /// The texts of files after the change, by their index in the diff.
    Texts(&'a HashMap<usize, String>),
}

/// The maximum size of a file that is analysed as a whole.
pub const MAX_WHOLE_FILE: usize = 512 * 1024;

/// How a change hides source files from review.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hidden {
    /// The cause.
    pub by: HiddenBy,
    /// The number of files.
    pub files: usize,
    /// The lines that show it in the other files, at most [`MAX_RELATED`].
    pub others: Vec<Place>,
}

/// A hunk, or part of one, in a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChunkHunk<'a> {
    /// The section heading after the closing `@@`: often the enclosing function.
    #[serde(borrow)]
    pub heading: Cow<'a, str>,
    /// The lines with their numbers.
    #[serde(borrow)]
    pub lines: Cow<'a, [Line<'a>]>,
}

/// Bytes of a typical line.
const BYTES_OF_LINE: usize = 32;

/// Size limits of chunks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Bytes of text per chunk.
    pub chunk_bytes: usize,
    /// Bytes per line; longer lines are truncated for analysis, with a warning.
    pub line_bytes: usize,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            chunk_bytes: MAX_WHOLE_FILE,
            line_bytes: 1024 * 1024,
        }
    }
}

/// The parts of a diff that will be analysed, and warnings for the rest.
#[derive(Debug, Clone, Default)]
pub struct Plan<'a> {
    /// The chunks, in diff order.
    pub chunks: Vec<Chunk<'a>>,
    /// A warning for each skipped or truncated file.
    pub warnings: Vec<Warning>,
    /// The reason why reviewable files were skipped, if any were.
    pub(crate) spent: Option<Spent>,
    /// The chunks of files that the change hides from review.
    hidden: HashMap<HiddenBy, usize>,
    /// The minified files that the change deletes.
    deleted: Deleted,
}

/// Splits a diff into chunks.
#[must_use]
pub fn plan<'a>(diff: &'a Diff<'a>, target: Option<Language>, sizes: &Sizes) -> Plan<'a> {
    let mut plan = Plan::of(diff);
    for (index, file) in diff.files.iter().enumerate() {
        plan.add(index, file, target, sizes, DiffContext::Hunks);
    }
    plan
}

/// As [`plan`], with the known parts of the files, within a budget. Files beyond it are skipped with a warning.
pub(crate) async fn plan_within<'a>(
    diff: &'a Diff<'a>,
    target: Option<Language>,
    sizes: &Sizes,
    context: DiffContext<'a>,
    budget: &Budget,
) -> Plan<'a> {
    let mut plan = Plan::of(diff);
    let least = if matches!(context, DiffContext::AsShown) {
        context_lines(diff)
    } else {
        0
    };
    for (index, file) in diff.files.iter().enumerate() {
        // The hunks themselves show whether they are complete.
        let is_shown = matches!(context, DiffContext::AsShown)
            && file.hunks.last().is_some_and(|hunk| shows_end(hunk, least));
        let context = if is_shown {
            DiffContext::Files
        } else {
            context
        };
        let shown: usize = file.hunks.iter().map(|hunk| hunk.lines.len()).sum();
        let text = if let DiffContext::Texts(texts) = context {
            texts.get(&index)
        } else {
            None
        };
        let lines = shown + text.map_or(0, |text| text.len() / BYTES_OF_LINE);
        match budget
            .draw_and_yield(1 + u64::try_from(lines).unwrap_or(u64::MAX))
            .await
        {
            Ok(()) => plan.add(index, file, target, sizes, context),
            Err(why) => {
                let message = format!("this file was not analysed: {why}");
                plan.warnings.push(Warning::file(
                    WarningCode::ChunkFailed,
                    file.path(),
                    message,
                ));
                plan.spent = Some(why);
            }
        }
    }
    plan
}

impl<'a> Plan<'a> {
    fn of(diff: &Diff<'_>) -> Self {
        Self {
            deleted: Deleted::of(diff),
            ..Self::default()
        }
    }

    /// The paths of the files that are test code, in diff order.
    pub(crate) fn test_files(&self) -> Vec<String> {
        let mut chunks: Vec<&Chunk<'_>> =
            self.chunks.iter().filter(|chunk| chunk.is_test).collect();
        chunks.dedup_by_key(|chunk| chunk.index);
        chunks
            .into_iter()
            .map(|chunk| chunk.path.to_string())
            .collect()
    }

    fn add(
        &mut self,
        index: usize,
        file: &'a FileDiff<'a>,
        target: Option<Language>,
        sizes: &Sizes,
        context: DiffContext<'a>,
    ) {
        let whole = whole_hunk(file, context);
        let lines = match whole {
            Some(hunk) => Some(Cow::Borrowed(hunk.lines.as_slice())),
            None => whole_lines(index, file, context).map(Cow::Owned),
        };
        let known = Known {
            file,
            whole: lines.as_deref(),
        };
        let class = classify_known(&known, target);
        let by_tool = is_new_output(&known, &class);
        let hidden = hidden_by(&known, &class).filter(|(by, _)| {
            let is_update = *by == HiddenBy::Minified && self.deleted.take_for(file);
            !by_tool && !is_update
        });
        if !by_tool && let Some(warning) = omission(file, &class, hidden.as_ref()) {
            self.warnings.push(warning);
            if let Some((by, Some(line))) = hidden {
                self.add_hidden(index, file, &class, by, line);
            }
            return;
        }
        self.warnings.extend(unseen_lines(&known, &class));
        let has_new_lines = file.status != Status::Removed && !file.hunks.is_empty();
        if class.language.is_none() && has_new_lines {
            let is_script = !is_hook_sample(file.path())
                && known
                    .side(Side::New)
                    .next()
                    .is_some_and(|line| line.text.starts_with("#!"));
            // A script without a known language runs all the same.
            let (code, message) = if is_script {
                (
                    WarningCode::FilePartlyAnalyzed,
                    "The interpreter in the first line is not known: only the plain-text rules were applied.",
                )
            } else {
                (
                    WarningCode::LanguageNotSupported,
                    "The language of the file is not known: only the plain-text rules were applied.",
                )
            };
            self.warnings
                .push(Warning::file(code, file.path(), message));
        }
        if !file.hunks.iter().all(|hunk| fit(&hunk.lines, sizes)) {
            let message = format!(
                "a line longer than {} bytes was cut for analysis",
                sizes.line_bytes
            );
            self.warnings.push(Warning::file(
                WarningCode::LineTruncated,
                file.path(),
                message,
            ));
        }
        let shown: Vec<Shown<'a>> = match whole {
            Some(hunk) => changed_parts(hunk),
            None => file
                .hunks
                .iter()
                .map(|hunk| (hunk.heading, &*hunk.lines))
                .collect(),
        };
        let parts = parts_of(&shown, sizes);
        let is_complete = parts.len() == 1;
        let from = self.chunks.len();
        self.chunks.extend(parts.into_iter().map(|hunks| Chunk {
            by_tool,
            ..chunk(index, file, &class, is_complete, hunks)
        }));
        if let Some(only) = self.chunks.get_mut(from).filter(|_| is_complete) {
            only.around = match whole {
                Some(hunk) => around_parts(hunk, &shown, sizes),
                None => around(lines, sizes),
            };
        }
    }

    /// Adds a file that the change hides from review. Files hidden in the same way share one chunk, that of the first
    /// of them.
    fn add_hidden(
        &mut self,
        index: usize,
        file: &'a FileDiff<'a>,
        class: &Class,
        by: HiddenBy,
        line: Line<'a>,
    ) {
        let known = self.hidden.get(&by).and_then(|at| self.chunks.get_mut(*at));
        if let Some(hidden) = known.and_then(|chunk| chunk.hidden.as_mut()) {
            hidden.files += 1;
            if hidden.others.len() < MAX_RELATED {
                hidden.others.extend(line.new.map(|line| Place {
                    file: index,
                    side: Side::New,
                    line,
                }));
            }
            return;
        }
        self.hidden.insert(by, self.chunks.len());
        let shown = ChunkHunk {
            heading: Cow::Borrowed(""),
            // The line need not be new: it represents the whole file.
            lines: Cow::Owned(vec![Line {
                kind: LineKind::Added,
                old: None,
                ..line
            }]),
        };
        let hidden = Some(Hidden {
            by,
            files: 1,
            others: Vec::new(),
        });
        self.chunks.push(Chunk {
            hidden,
            language: None,
            ..chunk(index, file, class, false, vec![shown])
        });
    }
}

fn chunk<'a>(
    index: usize,
    file: &'a FileDiff<'a>,
    class: &Class,
    is_complete: bool,
    hunks: Vec<ChunkHunk<'a>>,
) -> Chunk<'a> {
    Chunk {
        index,
        path: Cow::Borrowed(file.path()),
        // The content of a symbolic link is a path.
        language: class
            .language
            .filter(|_| file.new_mode != Some(SYMBOLIC_LINK)),
        status: file.status,
        is_test: class.is_test,
        is_complete,
        version: None,
        around: Around::Unknown,
        hidden: None,
        by_tool: false,
        hunks,
    }
}

/// The heading and the lines of a hunk, or of a part of it.
type Shown<'a> = (&'a str, &'a [Line<'a>]);

/// Context lines around a change, as `git diff` shows them.
const CONTEXT_LINES: usize = 3;

/// The only hunk of a file, if it contains all of it.
fn whole_hunk<'a>(file: &'a FileDiff<'a>, context: DiffContext<'_>) -> Option<&'a Hunk<'a>> {
    // Git states explicitly that a file is new. Other tools may show a part of a file in this form.
    let is_new = file.status == Status::Added && file.new_mode.is_some();
    let [only] = file.hunks.as_slice() else {
        return None;
    };
    let is_whole = matches!(context, DiffContext::Files) || is_new;
    Some(only).filter(|hunk| is_whole && starts_file(hunk))
}

/// The changes of a hunk with a few context lines each, as a diff with less context shows them.
fn changed_parts<'a>(hunk: &'a Hunk<'a>) -> Vec<Shown<'a>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (at, _) in hunk
        .lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.kind != LineKind::Context)
    {
        let range = at.saturating_sub(CONTEXT_LINES)..hunk.lines.len().min(at + CONTEXT_LINES + 1);
        match ranges.last_mut() {
            Some(last) if range.start <= last.end => last.end = range.end,
            _ => ranges.push(range),
        }
    }
    if ranges.is_empty() {
        ranges.push(0..hunk.lines.len());
    }
    let parts = ranges
        .into_iter()
        .filter_map(|range| Some((hunk.heading, hunk.lines.get(range)?)));
    parts.collect()
}

/// The lines around the parts of a hunk that contains all of its file.
fn around_parts<'a>(hunk: &Hunk<'a>, parts: &[Shown<'a>], sizes: &Sizes) -> Around<'a> {
    let bytes: usize = hunk.lines.iter().map(|line| line.text.len() + 1).sum();
    match parts {
        [(_, lines)] if lines.len() == hunk.lines.len() => Around::Nothing,
        _ if bytes <= MAX_WHOLE_FILE && fit(&hunk.lines, sizes) => {
            Around::Lines(hunk.lines.clone())
        }
        _ => Around::Unknown,
    }
}

/// All lines of a file whose text is known.
fn whole_lines<'a>(
    index: usize,
    file: &FileDiff<'a>,
    context: DiffContext<'a>,
) -> Option<Vec<Line<'a>>> {
    let DiffContext::Texts(texts) = context else {
        return None;
    };
    if file.hunks.is_empty() || file.status == Status::Removed {
        return None;
    }
    let text = texts
        .get(&index)
        .filter(|text| text.len() <= MAX_WHOLE_FILE);
    text.and_then(|text| whole_file(file, text))
}

/// The known parts of a file around its hunks.
fn around<'a>(lines: Option<Cow<'_, [Line<'a>]>>, sizes: &Sizes) -> Around<'a> {
    let lines = lines.filter(|lines| fit(lines, sizes));
    lines.map_or(Around::Unknown, |lines| Around::Lines(lines.into_owned()))
}

/// The warning for a file that is not reviewed; `None` for a reviewed one.
fn omission(
    file: &FileDiff<'_>,
    class: &Class,
    hidden: Option<&(HiddenBy, Option<Line<'_>>)>,
) -> Option<Warning> {
    let path = file.path();
    let partly = |message: &str| {
        Some(Warning::file(
            WarningCode::FilePartlyAnalyzed,
            path,
            message,
        ))
    };
    match hidden {
        Some((HiddenBy::Link, _)) => {
            partly("not reviewed: the diff has only the target of this symbolic link")
        }
        Some((HiddenBy::Submodule, _)) => {
            partly("not reviewed: the diff has only the hash of this submodule's commit")
        }
        Some((HiddenBy::Pointer, _)) => {
            partly("not reviewed: Git LFS stores the content, and the diff has only its hash")
        }
        Some((_, None)) => partly(
            "not reviewed: the change gives this source file the name of generated or third-party code",
        ),
        // A program that is gone cannot run.
        None if class.kind == Kind::Binary && file.status == Status::Removed => None,
        _ => class.skipped(path),
    }
}

/// The warning about a file with unchanged lines that were never reviewed.
fn unseen_lines(known: &Known<'_, '_>, class: &Class) -> Option<Warning> {
    has_unseen_lines(known, class).then(|| {
        let message = "its unchanged lines were not reviewed: before this change the file did not count as source code of this \
                       kind; `git diff --no-renames` shows those of a renamed file";
        Warning::file(WarningCode::FilePartlyAnalyzed, known.file.path(), message)
    })
}

impl Chunk<'_> {
    /// The chunk with all lines of its file in one hunk, if they are known; otherwise unchanged.
    #[must_use]
    pub fn widened(&self) -> Cow<'_, Self> {
        let Around::Lines(lines) = &self.around else {
            return Cow::Borrowed(self);
        };
        let hunks = vec![ChunkHunk {
            heading: Cow::Borrowed(""),
            lines: Cow::Owned(lines.clone()),
        }];
        let Self {
            index,
            language,
            status,
            is_test,
            is_complete,
            by_tool,
            version,
            ..
        } = *self;
        let (path, hidden) = (self.path.clone(), self.hidden.clone());
        let around = Around::Nothing;
        Cow::Owned(Self {
            index,
            path,
            language,
            status,
            is_test,
            is_complete,
            version,
            around,
            hidden,
            by_tool,
            hunks,
        })
    }
}

/// Whether no line needs to be cut.
fn fit(lines: &[Line<'_>], sizes: &Sizes) -> bool {
    lines.iter().all(|line| line.text.len() <= sizes.line_bytes)
}

/// Groups hunks into runs within the chunk size.
fn parts_of<'a>(hunks: &[Shown<'a>], sizes: &Sizes) -> Vec<Vec<ChunkHunk<'a>>> {
    let mut parts: Vec<(Vec<ChunkHunk<'a>>, usize)> = Vec::new();
    for (heading, lines) in hunks {
        for (lines, bytes) in split(lines, sizes) {
            let hunk = ChunkHunk {
                heading: Cow::Borrowed(heading),
                lines,
            };
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

/// Splits lines into pieces within the chunk size, each with its size in bytes.
fn split<'a>(all: &'a [Line<'a>], sizes: &Sizes) -> Vec<(Cow<'a, [Line<'a>]>, usize)> {
    let mut pieces = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    let mut boundary = None;
    for (at, line) in all.iter().enumerate() {
        let size = line.text.len().min(sizes.line_bytes) + 2;
        if at > start && starts_item(line) {
            boundary = Some((at, bytes));
        }
        if at > start && bytes + size > sizes.chunk_bytes {
            let (cut, before) = boundary.take().unwrap_or((at, bytes));
            pieces.push((shorten(&all[start..cut], sizes), before));
            start = cut;
            bytes -= before;
        }
        bytes += size;
    }
    pieces.push((shorten(&all[start..], sizes), bytes));
    pieces
}

/// Whether the line starts a top-level item: not indented and not only a closing bracket.
fn starts_item(line: &Line<'_>) -> bool {
    line.kind != LineKind::Removed
        && line.text.starts_with(|c: char| {
            !c.is_whitespace() && !matches!(c, '}' | ')' | ']' | '"' | '\'' | '`' | '*')
        })
}

fn shorten<'a>(lines: &'a [Line<'a>], sizes: &Sizes) -> Cow<'a, [Line<'a>]> {
    if fit(lines, sizes) {
        return Cow::Borrowed(lines);
    }
    let cut = |line: &Line<'a>| Line {
        text: &line.text[..line.text.floor_char_boundary(sizes.line_bytes)],
        ..*line
    };
    Cow::Owned(lines.iter().map(cut).collect())
}

#[cfg(test)]
mod tests {
    use futures_executor::block_on;

    use super::{Around, DiffContext, Sizes, WarningCode, plan, plan_within};
    use crate::budget::Budget;
    use crate::diff::{Diff, Line};
    use std::fmt::Write as _;

    fn added(path: &str, lines: &[&str]) -> String {
        let mut text = format!(
            "--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{} @@\n",
            lines.len()
        );
        for line in lines {
            writeln!(text, "+{line}").unwrap();
        }
        text
    }

    #[test]
    fn a_file_of_unknown_language_gets_a_warning() {
        let text = added("data", &["1 2 3"]) + &added("run", &["import os", "def f(x=[]):"]);
        let plan = plan(&Diff::parse(&text).unwrap(), None, &Sizes::default()).warnings;
        let [warning] = plan.as_slice() else {
            panic!("{plan:?}")
        };
        assert_eq!(
            (warning.code, warning.file_path.as_deref()),
            (WarningCode::LanguageNotSupported, Some("data"))
        );
    }

    #[test]
    fn a_large_hunk_is_split_before_a_top_level_line_without_loss() {
        let lines: Vec<String> = (0..100)
            .map(|i| {
                if i % 10 == 0 {
                    format!("def f{i}():")
                } else {
                    format!("    x = {i}")
                }
            })
            .collect();
        let text = added(
            "a.py",
            &lines.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        let diff = Diff::parse(&text).unwrap();
        let plan = plan(
            &diff,
            None,
            &Sizes {
                chunk_bytes: 300,
                line_bytes: 1_000,
            },
        );
        assert!(plan.chunks.len() > 3 && plan.chunks.iter().all(|chunk| !chunk.is_complete));
        let mut numbers = Vec::new();
        for chunk in &plan.chunks {
            let lines = &chunk.hunks[0].lines;
            assert!(
                lines[0].text.starts_with("def "),
                "a piece starts at the top level"
            );
            numbers.extend(lines.iter().filter_map(|line| line.new));
        }
        assert_eq!(numbers, (1..=100).collect::<Vec<u32>>());
    }

    #[test]
    fn a_hunk_with_all_of_its_file_is_divided_into_its_changes() {
        let line = |at: u32| match at {
            10 | 13 => format!("+{at}\n"),
            30 => format!("-{at}\n"),
            _ => format!(" {at}\n"),
        };
        let lines: String = (1..=40).map(line).collect();
        let text = format!("--- a/a.py\n+++ b/a.py\n@@ -1,38 +1,39 @@\n{lines}");
        let diff = Diff::parse(&text).unwrap();
        let (sizes, budget) = (Sizes::default(), Budget::of_bytes(text.len()));
        for (context, is_whole) in [(DiffContext::Files, true), (DiffContext::Hunks, false)] {
            let plan = block_on(plan_within(&diff, None, &sizes, context, &budget));
            let [chunk] = plan.chunks.as_slice() else {
                panic!("{plan:?}")
            };
            let shown = chunk.hunks.iter().map(|hunk| {
                let of = |line: Option<&Line<'_>>| line.unwrap().text.parse().unwrap();
                (of(hunk.lines.first()), of(hunk.lines.last()))
            });
            let expected: &[(u32, u32)] = if is_whole {
                &[(7, 16), (27, 33)]
            } else {
                &[(1, 40)]
            };
            assert_eq!(shown.collect::<Vec<_>>(), expected);
            assert_eq!(chunk.widened().hunks[0].lines.len(), 40);
            assert_eq!(chunk.widened().around == Around::Nothing, is_whole);
        }
    }

    #[test]
    fn the_path_in_a_symbolic_link_is_not_parsed_as_code() {
        let text = "diff --git a/a.py b/a.py\nnew file mode 120000\n--- /dev/null\n+++ b/a.py\n@@ -0,0 +1 @@\n+nowhere\n\\ No newline at end of file\n";
        for (mode, is_code) in [("120000", false), ("100644", true)] {
            let text = text.replace("120000", mode);
            let diff = Diff::parse(&text).unwrap();
            assert_eq!(
                plan(&diff, None, &Sizes::default()).chunks[0]
                    .language
                    .is_some(),
                is_code,
                "{mode}"
            );
        }
    }

    #[test]
    fn a_long_line_is_truncated_at_a_character_boundary_with_a_warning() {
        let text = added("a.py", &[&"é".repeat(100)]);
        let diff = Diff::parse(&text).unwrap();
        let plan = plan(
            &diff,
            None,
            &Sizes {
                chunk_bytes: 1_000,
                line_bytes: 11,
            },
        );
        assert_eq!(plan.chunks[0].hunks[0].lines[0].text, "ééééé");
        assert!(plan.chunks[0].is_complete);
        assert_eq!(plan.warnings.len(), 1);
    }
}
