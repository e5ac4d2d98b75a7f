//! The diff as shown on the page, with each finding after its line.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use review::output::json::{FindingBody, ReviewBody};
use review::{
    Diff, FileDiff, Hunk, Language, Lexical, Line, LineKind, Priority, Side, Status, byte_offset,
};

use super::finding_view::FindingView;
use super::places::{Key, Places, key};
use super::syntax::{Painted, Painter, Sides};
use super::words;
use crate::rule_pages::RulePages;
use crate::web::shown::Shown;

/// Lines of a hunk that a browser renders together when they become visible.
const PART_LINES: usize = 200;
/// A longer file without references to its lines is shown on demand.
const FOLDED_LINES: usize = 1_000;
/// So is one with more text.
const FOLDED_BYTES: usize = 100_000;
/// A longer line is not shown in its full height.
const LONG_LINE: usize = 2_000;
/// Lines whose changed words are marked.
const MARKED_LINES: usize = 20_000;
/// Code of more lines is underlined on its first line only.
const UNDERLINED_LINES: u32 = 4;

pub(super) struct FileView<'a> {
    /// From 1.
    pub(super) number: usize,
    /// The path up to its last slash, and the name after it.
    pub(super) folder: Shown<'a>,
    pub(super) name: Shown<'a>,
    /// The previous path, if the file was moved.
    pub(super) moved_from: Option<Shown<'a>>,
    /// How the change affects the file as a whole; empty if its lines show it.
    pub(super) status: &'static str,
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) findings: usize,
    pub(super) is_reviewed: bool,
    pub(super) is_folded: bool,
    pub(super) size: u32,
    /// The number of digits of its largest line number.
    pub(super) digits: u32,
    pub(super) parts: Vec<PartView<'a>>,
}

/// A hunk, or a part of a long one.
pub(super) struct PartView<'a> {
    /// Only in the first part of a hunk.
    pub(super) header: Option<Shown<'a>>,
    pub(super) size: u32,
    pub(super) blocks: Vec<BlockView<'a>>,
}

/// Consecutive changed lines, or consecutive unchanged ones.
pub(super) struct BlockView<'a> {
    pub(super) is_edit: bool,
    pub(super) lines: Vec<LineView<'a>>,
}

pub(super) struct LineView<'a> {
    /// `a`dded, `d`eleted or the `s`ame.
    pub(super) kind: char,
    pub(super) old: Option<u32>,
    pub(super) new: Option<u32>,
    pub(super) text: Painted<'a>,
    pub(super) anchor: Option<String>,
    pub(super) is_unterminated: bool,
    pub(super) is_long: bool,
    pub(super) findings: Vec<FindingView<'a>>,
}

/// The answer, and the settings with which the diff is shown.
pub(super) struct Shows<'a, 'r> {
    pub(super) body: &'a ReviewBody,
    /// The findings in the order of the list, by which they are numbered.
    pub(super) findings: &'r [&'a FindingBody],
    /// The paths of files that were not reviewed at all.
    pub(super) skipped: &'r HashSet<&'a str>,
    /// The language of files whose path does not determine it.
    pub(super) language: Option<Language>,
    pub(super) rules: Option<&'r RulePages>,
}

/// The files, and the findings whose line was not found. There are none unless the engine and the page disagree. First is
/// the file of the first finding; files that were not reviewed are last.
pub(super) fn files<'a>(
    diff: &'a Diff<'a>,
    shows: &Shows<'a, '_>,
) -> (Vec<FileView<'a>>, Vec<FindingView<'a>>) {
    let mut drawing = Drawing::new(diff, shows);
    let mut files: Vec<FileView<'a>> = Vec::with_capacity(diff.files.len());
    for (at, file) in diff.files.iter().enumerate() {
        let lexical = drawing.painter.lexical(file);
        let parts = file
            .hunks
            .iter()
            .flat_map(|hunk| drawing.parts(file, hunk, lexical))
            .collect();
        files.push(file_view(at + 1, file, parts, shows.skipped));
    }
    let rank = |file: &FileView<'_>| (!file.is_reviewed, first_finding(file).unwrap_or(usize::MAX));
    files.sort_by_cached_key(rank);
    (files, drawing.lost())
}

fn lines<'v, 'a>(parts: &'v [PartView<'a>]) -> impl Iterator<Item = &'v LineView<'a>> {
    parts
        .iter()
        .flat_map(|part| &part.blocks)
        .flat_map(|block| &block.lines)
}

/// The number of the file's most serious finding.
fn first_finding(file: &FileView<'_>) -> Option<usize> {
    lines(&file.parts)
        .flat_map(|line| &line.findings)
        .map(|finding| finding.number)
        .min()
}

/// Draws the lines in their order.
struct Drawing<'a, 'r> {
    painter: Painter,
    places: Places<'a>,
    by_line: HashMap<(Key<'a>, &'a str), Vec<(usize, &'a FindingBody)>>,
    rules: Option<&'r RulePages>,
    /// Code of findings that continues on the next lines of the hunk.
    continued: Vec<Code>,
    /// The lines whose changed words may still be marked.
    marked_lines: usize,
}

/// The end of the code that a finding is about.
struct Code {
    side: Side,
    end_line: u32,
    end_column: u32,
    priority: Priority,
}

impl<'a, 'r> Drawing<'a, 'r> {
    fn new(diff: &'a Diff<'a>, shows: &Shows<'a, 'r>) -> Self {
        let mut by_line: HashMap<(Key<'a>, &'a str), Vec<(usize, &'a FindingBody)>> =
            HashMap::new();
        for (at, finding) in shows.findings.iter().copied().enumerate() {
            let key = (
                finding.file_path.as_str(),
                finding.line_side,
                finding.line_number,
            );
            by_line
                .entry((key, finding.hunk_header.as_str()))
                .or_default()
                .push((at + 1, finding));
        }
        Self {
            painter: Painter::new(shows.language),
            places: Places::of(diff, shows.body),
            by_line,
            rules: shows.rules,
            continued: Vec::new(),
            marked_lines: MARKED_LINES,
        }
    }

    fn parts(
        &mut self,
        file: &'a FileDiff<'a>,
        hunk: &'a Hunk<'a>,
        lexical: Option<&'static Lexical>,
    ) -> Vec<PartView<'a>> {
        self.continued.clear();
        let mut sides = Sides::new(lexical);
        let same_block = |one: &Line<'_>, next: &Line<'_>| {
            (one.kind == LineKind::Context) == (next.kind == LineKind::Context)
        };
        let mut block = |lines: &'a [Line<'a>]| {
            let is_edit = lines
                .first()
                .is_some_and(|line| line.kind != LineKind::Context);
            let mut lines: Vec<LineView<'a>> = lines
                .iter()
                .map(|line| self.line(file, hunk, line, &mut sides))
                .collect();
            if is_edit {
                self.mark_words(&mut lines);
            }
            BlockView { is_edit, lines }
        };
        let parts = hunk
            .lines
            .chunks(PART_LINES)
            .enumerate()
            .map(|(at, lines)| PartView {
                header: (at == 0).then_some(Shown(hunk.header)),
                size: size(lines.len()),
                blocks: lines.chunk_by(same_block).map(&mut block).collect(),
            });
        parts.collect()
    }

    fn line(
        &mut self,
        file: &'a FileDiff<'a>,
        hunk: &'a Hunk<'a>,
        line: &'a Line<'a>,
        sides: &mut Sides<'a>,
    ) -> LineView<'a> {
        let lexical = sides.lexical();
        let mut text = self.painter.paint(sides, line);
        let key = key(file, line);
        let found = key
            .and_then(|key| self.by_line.remove(&(key, hunk.header)))
            .unwrap_or_default();
        self.underline(&mut text, line, &found);
        let view = |(number, finding): (usize, &'a FindingBody)| {
            FindingView::new(number, finding, &self.places, self.rules).with_edit(
                finding.replacement.as_ref(),
                hunk,
                lexical,
            )
        };
        LineView {
            kind: match line.kind {
                LineKind::Added => 'a',
                LineKind::Removed => 'd',
                LineKind::Context => 's',
            },
            old: line.old,
            new: line.new,
            anchor: key.and_then(|(path, side, number)| self.places.anchor(path, side, number)),
            is_unterminated: !line.terminated,
            is_long: line.text.len() > LONG_LINE,
            findings: found.into_iter().map(view).collect(),
            text,
        }
    }

    /// Underlines the code of the findings on this line, and of earlier ones that continues here.
    fn underline(
        &mut self,
        painted: &mut Painted<'_>,
        line: &Line<'_>,
        found: &[(usize, &FindingBody)],
    ) {
        let number = line.number();
        let indentation = line.text.len() - line.text.trim_start().len();
        for code in &self.continued {
            let is_here =
                line.side() == code.side && number.is_some_and(|number| number <= code.end_line);
            if is_here {
                let end_column = (number == Some(code.end_line)).then_some(code.end_column);
                painted.underline(indentation..end(line.text, end_column), code.priority);
            }
        }
        for (_, finding) in found {
            let (Some(start), Some(end_line), Some(end_column)) =
                (finding.start_column, finding.end_line, finding.end_column)
            else {
                continue;
            };
            let Some(start) = byte_offset(line.text, start) else {
                continue;
            };
            let is_last = end_line <= finding.line_number;
            let code: Range<usize> = start..end(line.text, is_last.then_some(end_column));
            painted.underline(code, finding.priority);
            if !is_last && end_line - finding.line_number < UNDERLINED_LINES {
                self.continued.push(Code {
                    side: finding.line_side,
                    end_line,
                    end_column,
                    priority: finding.priority,
                });
            }
        }
        self.continued.retain(|code| {
            line.side() != code.side || number.is_none_or(|number| number < code.end_line)
        });
    }

    /// Marks the changed words where added lines follow removed ones.
    fn mark_words(&mut self, lines: &mut [LineView<'_>]) {
        for run in lines.chunk_by_mut(|one, next| one.kind == next.kind || next.kind == 'a') {
            let removed = run.iter().take_while(|line| line.kind == 'd').count();
            let Some((removed, added)) = run.split_at_mut_checked(removed) else {
                continue;
            };
            for (old, new) in removed.iter_mut().zip(added) {
                let is_long = old.is_long || new.is_long;
                if is_long || self.marked_lines == 0 {
                    continue;
                }
                self.marked_lines -= 1;
                if let Some((gone, come)) = words::changes(old.text.text(), new.text.text()) {
                    old.text.mark_changes(gone);
                    new.text.mark_changes(come);
                }
            }
        }
    }

    /// The findings whose line was not found.
    fn lost(self) -> Vec<FindingView<'a>> {
        let left = self.by_line.into_values().flatten();
        let view = |(number, finding)| FindingView::new(number, finding, &self.places, self.rules);
        let mut lost: Vec<_> = left.map(view).collect();
        lost.sort_by_key(|finding| finding.number);
        lost
    }
}

/// The place before this column, or after the last character.
fn end(text: &str, column: Option<u32>) -> usize {
    column
        .and_then(|column| byte_offset(text, column))
        .unwrap_or(text.trim_end_matches('\r').len())
}

/// The base-2 logarithm of a number of lines, rounded down, at most 17. It selects the height that the browser reserves
/// for lines that are not rendered yet.
fn size(lines: usize) -> u32 {
    lines.max(1).ilog2().min(17)
}

fn file_view<'a>(
    number: usize,
    file: &'a FileDiff<'a>,
    parts: Vec<PartView<'a>>,
    skipped: &HashSet<&str>,
) -> FileView<'a> {
    let all = || lines(&parts);
    let findings = all().map(|line| line.findings.len()).sum();
    let is_referred_to = findings > 0 || all().any(|line| line.anchor.is_some());
    let moved = matches!(file.status, Status::Renamed | Status::Copied);
    let is_reviewed = !skipped.contains(file.path());
    let count = all().count();
    let bytes: usize = all().map(|line| line.text.text().len()).sum();
    let largest = all().filter_map(|line| line.old.max(line.new)).max();
    let path = file.path();
    let (folder, name) = path
        .rfind('/')
        .map_or(("", path), |at| path.split_at(at + 1));
    FileView {
        number,
        folder: Shown(folder),
        name: Shown(name),
        moved_from: file.old_path.as_deref().filter(|_| moved).map(Shown),
        status: match file.status {
            _ if file.binary => "binary",
            Status::Added => "new",
            Status::Removed => "removed",
            Status::Renamed => "renamed",
            Status::Copied => "copied",
            Status::ModeChanged => "mode changed",
            Status::Modified => "",
        },
        added: all().filter(|line| line.kind == 'a').count(),
        removed: all().filter(|line| line.kind == 'd').count(),
        findings,
        is_reviewed,
        is_folded: !is_referred_to
            && (!is_reviewed || count > FOLDED_LINES || bytes > FOLDED_BYTES),
        size: size(count),
        digits: largest.unwrap_or(1).max(1).ilog10() + 1,
        parts,
    }
}
