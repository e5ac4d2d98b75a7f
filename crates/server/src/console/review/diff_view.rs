//! The diff as the page shows it, with each finding after its line.

use std::collections::{BTreeMap, HashMap};

use review::output::json::{FindingBody, ReviewBody};
use review::{Diff, FileDiff, Hunk, Line, LineKind, Status};

use super::finding_view::FindingView;
use super::places::{Key, Places, key};
use crate::console::shown::Shown;
use crate::rule_pages::RulePages;

pub(super) struct FileView<'a> {
    /// From 1.
    pub(super) number: usize,
    pub(super) path: Shown<'a>,
    /// Where it was before.
    pub(super) moved_from: Option<Shown<'a>>,
    /// What happened to it as a whole; nothing where its lines say it.
    pub(super) status: &'static str,
    pub(super) added: usize,
    pub(super) removed: usize,
    pub(super) findings: usize,
    pub(super) hunks: Vec<HunkView<'a>>,
}

pub(super) struct HunkView<'a> {
    pub(super) header: Shown<'a>,
    /// The base-2 logarithm of the number of lines, rounded down, at most 17. It selects the height that the browser reserves
    /// for a hunk that it has not rendered yet.
    pub(super) size: u32,
    pub(super) blocks: Vec<BlockView<'a>>,
}

/// Lines that changed together, or did not change.
pub(super) struct BlockView<'a> {
    pub(super) is_edit: bool,
    pub(super) lines: Vec<LineView<'a>>,
}

pub(super) struct LineView<'a> {
    /// `a`dded, `d`eleted or the `s`ame.
    pub(super) kind: char,
    pub(super) old: Option<u32>,
    pub(super) new: Option<u32>,
    pub(super) text: Shown<'a>,
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

/// The files, and the findings whose line was not found: none, unless the engine and the page disagree.
pub(super) fn files<'a>(
    diff: &'a Diff<'a>,
    body: &'a ReviewBody,
    rules: Option<&RulePages>,
) -> (Vec<FileView<'a>>, Vec<FindingView<'a>>) {
    let places = Places::of(diff, body);
    let mut by_line: HashMap<(Key<'a>, &'a str), Vec<(usize, &'a FindingBody)>> = HashMap::new();
    for (at, finding) in body.findings.iter().enumerate() {
        let key = (finding.file_path.as_str(), finding.line_side, finding.line_number);
        by_line.entry((key, finding.hunk_header.as_str())).or_default().push((at, finding));
    }
    let view = |(at, finding): (usize, &'a FindingBody)| FindingView::new(at + 1, finding, &places, rules);
    let mut take = |file: &'a FileDiff<'a>, hunk: &'a Hunk<'a>, line: &Line<'_>| {
        let found = key(file, line).and_then(|key| by_line.remove(&(key, hunk.header)));
        found.unwrap_or_default().into_iter().map(view).collect::<Vec<_>>()
    };
    let mut files: Vec<FileView<'a>> = Vec::with_capacity(diff.files.len());
    for (at, file) in diff.files.iter().enumerate() {
        let mut line_view = |hunk: &'a Hunk<'a>, line: &'a Line<'a>| LineView {
            kind: match line.kind {
                LineKind::Added => 'a',
                LineKind::Removed => 'd',
                LineKind::Context => 's',
            },
            old: line.old,
            new: line.new,
            text: Shown(line.text),
            anchor: key(file, line).and_then(|(path, side, number)| places.anchor(path, side, number)),
            is_unterminated: !line.terminated,
            findings: take(file, hunk, line),
        };
        let hunks: Vec<HunkView<'a>> = file.hunks.iter().map(|hunk| hunk_view(hunk, &mut line_view)).collect();
        files.push(file_view(at + 1, file, hunks));
    }
    let mut lost: Vec<_> = by_line.into_values().flatten().map(view).collect();
    lost.sort_by_key(|finding| finding.number);
    (files, lost)
}

fn hunk_view<'a>(
    hunk: &'a Hunk<'a>,
    line_view: &mut impl FnMut(&'a Hunk<'a>, &'a Line<'a>) -> LineView<'a>,
) -> HunkView<'a> {
    let same_block =
        |one: &Line<'_>, next: &Line<'_>| (one.kind == LineKind::Context) == (next.kind == LineKind::Context);
    let blocks = hunk.lines.chunk_by(same_block).map(|lines| BlockView {
        is_edit: lines.first().is_some_and(|line| line.kind != LineKind::Context),
        lines: lines.iter().map(|line| line_view(hunk, line)).collect(),
    });
    let blocks = blocks.collect();
    HunkView { header: Shown(hunk.header), size: hunk.lines.len().max(1).ilog2().min(17), blocks }
}

fn file_view<'a>(number: usize, file: &'a FileDiff<'a>, hunks: Vec<HunkView<'a>>) -> FileView<'a> {
    let lines = || hunks.iter().flat_map(|hunk| &hunk.blocks).flat_map(|block| &block.lines);
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
        findings: lines().map(|line| line.findings.len()).sum(),
        hunks,
    }
}

/// The tree: folders by name, and in each its files in the order of the diff.
pub(super) fn tree<'a>(files: &[FileView<'a>]) -> Vec<FolderView<'a>> {
    let mut folders: BTreeMap<&'a str, Vec<LeafView<'a>>> = BTreeMap::new();
    for FileView { number, path: Shown(path), findings, .. } in files {
        let (folder, name) = path.rfind('/').map_or(("", *path), |at| path.split_at(at + 1));
        folders.entry(folder).or_default().push(LeafView { number: *number, name: Shown(name), findings: *findings });
    }
    folders.into_iter().map(|(path, files)| FolderView { path: Shown(path), files }).collect()
}
