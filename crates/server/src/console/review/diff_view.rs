//! The diff as shown on the page, with each finding after its line.

use std::collections::{BTreeMap, HashMap};

use review::output::json::{FindingBody, ReviewBody};
use review::{Diff, FileDiff, Hunk, Language, Lexical, Line, LineKind, Status};

use super::finding_view::FindingView;
use super::places::{Key, Places, key};
use super::syntax::{Painted, Painter, Sides};
use crate::rule_pages::RulePages;
use crate::web::shown::Shown;

/// Lines of a hunk that a browser renders together when they become visible.
const PART_LINES: usize = 200;
/// A longer file without references to its lines is shown on demand.
const FOLDED_LINES: usize = 1_000;

pub(super) struct FileView<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) path: Shown<'a>,
    /// The previous path, if the file was moved.
    pub(super) moved_from: Option<Shown<'a>>,
    /// How the change affects the file as a whole; empty if its lines show it.
    pub(super) status: &'static str,
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) findings: usize,
    pub(super) is_folded: bool,
    pub(super) size: u32,
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
    pub(super) findings: Vec<FindingView<'a>>,
}

/// The files of a folder, for the tree.
pub(super) struct FolderView<'a> {
    pub(super) path: Shown<'a>,
    pub(super) files: Vec<LeafView<'a>>,
}

pub(super) struct LeafView<'a> {
    pub(super) number: usize,
    pub(super) name: Shown<'a>,
    pub(super) findings: usize,
}

/// The files, and the findings whose line was not found. There are none unless the engine and the page disagree.
pub(super) fn files<'a>(
    diff: &'a Diff<'a>,
    body: &'a ReviewBody,
    language: Option<Language>,
    rules: Option<&RulePages>,
) -> (Vec<FileView<'a>>, Vec<FindingView<'a>>) {
    let places = Places::of(diff, body);
    let mut by_line: HashMap<(Key<'a>, &'a str), Vec<(usize, &'a FindingBody)>> = HashMap::new();
    for (at, finding) in body.shown_findings().enumerate() {
        let key = (
            finding.file_path.as_str(),
            finding.line_side,
            finding.line_number,
        );
        by_line
            .entry((key, finding.hunk_header.as_str()))
            .or_default()
            .push((at, finding));
    }
    let view =
        |(at, finding): (usize, &'a FindingBody)| FindingView::new(at + 1, finding, &places, rules);
    let mut take = |file: &'a FileDiff<'a>, hunk: &'a Hunk<'a>, line: &Line<'_>| {
        let found = key(file, line).and_then(|key| by_line.remove(&(key, hunk.header)));
        found
            .unwrap_or_default()
            .into_iter()
            .map(view)
            .collect::<Vec<_>>()
    };
    let mut painter = Painter::new(language);
    let mut files: Vec<FileView<'a>> = Vec::with_capacity(diff.files.len());
    for (at, file) in diff.files.iter().enumerate() {
        let lexical = painter.lexical(file);
        let mut line_view =
            |hunk: &'a Hunk<'a>, line: &'a Line<'a>, sides: &mut Sides<'a>| LineView {
                kind: match line.kind {
                    LineKind::Added => 'a',
                    LineKind::Removed => 'd',
                    LineKind::Context => 's',
                },
                old: line.old,
                new: line.new,
                text: painter.paint(sides, line),
                anchor: key(file, line)
                    .and_then(|(path, side, number)| places.anchor(path, side, number)),
                is_unterminated: !line.terminated,
                findings: take(file, hunk, line),
            };
        let parts = file
            .hunks
            .iter()
            .flat_map(|hunk| part_views(hunk, lexical, &mut line_view))
            .collect();
        files.push(file_view(at + 1, file, parts));
    }
    let mut lost: Vec<_> = by_line.into_values().flatten().map(view).collect();
    lost.sort_by_key(|finding| finding.number);
    (files, lost)
}

fn part_views<'a>(
    hunk: &'a Hunk<'a>,
    lexical: Option<&'static Lexical>,
    line_view: &mut impl FnMut(&'a Hunk<'a>, &'a Line<'a>, &mut Sides<'a>) -> LineView<'a>,
) -> Vec<PartView<'a>> {
    let mut sides = Sides::new(lexical);
    let mut block = |lines: &'a [Line<'a>]| BlockView {
        is_edit: lines
            .first()
            .is_some_and(|line| line.kind != LineKind::Context),
        lines: lines
            .iter()
            .map(|line| line_view(hunk, line, &mut sides))
            .collect(),
    };
    let same_block = |one: &Line<'_>, next: &Line<'_>| {
        (one.kind == LineKind::Context) == (next.kind == LineKind::Context)
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

/// The base-2 logarithm of a number of lines, rounded down, at most 17. It selects the height that the browser reserves
/// for lines that are not rendered yet.
fn size(lines: usize) -> u32 {
    lines.max(1).ilog2().min(17)
}

fn file_view<'a>(number: usize, file: &'a FileDiff<'a>, parts: Vec<PartView<'a>>) -> FileView<'a> {
    let lines = || {
        parts
            .iter()
            .flat_map(|part| &part.blocks)
            .flat_map(|block| &block.lines)
    };
    let findings = lines().map(|line| line.findings.len()).sum();
    let is_referred_to = findings > 0 || lines().any(|line| line.anchor.is_some());
    let moved = matches!(file.status, Status::Renamed | Status::Copied);
    FileView {
        number,
        path: Shown(file.path()),
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
        added: lines().filter(|line| line.kind == 'a').count(),
        removed: lines().filter(|line| line.kind == 'd').count(),
        findings,
        is_folded: !is_referred_to && lines().count() > FOLDED_LINES,
        size: size(lines().count()),
        parts,
    }
}

/// The tree: folders by name, and in each its files in the order of the diff.
pub(super) fn tree<'a>(files: &[FileView<'a>]) -> Vec<FolderView<'a>> {
    let mut folders: BTreeMap<&'a str, Vec<LeafView<'a>>> = BTreeMap::new();
    for FileView {
        number,
        path: Shown(path),
        findings,
        ..
    } in files
    {
        let (folder, name) = path
            .rfind('/')
            .map_or(("", *path), |at| path.split_at(at + 1));
        folders.entry(folder).or_default().push(LeafView {
            number: *number,
            name: Shown(name),
            findings: *findings,
        });
    }
    folders
        .into_iter()
        .map(|(path, files)| FolderView {
            path: Shown(path),
            files,
        })
        .collect()
}
