//! Where a finding is in the files as they are after the change, for formats that know no other side.

use crate::diff::{Diff, FileDiff, Hunk, Side};
use crate::output::json::FindingBody;

/// A line of a file after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place<'a> {
    pub(super) path: &'a str,
    pub(super) line: u32,
}

/// The finding's own line, or for a removed line the line that follows it in the new file. A file that is gone has
/// only its old lines.
pub(super) fn in_new_file<'a>(finding: &'a FindingBody, diff: &'a Diff<'a>) -> Place<'a> {
    let own = Place { path: &finding.file_path, line: finding.line_number.max(1) };
    if finding.line_side == Side::New {
        return own;
    }
    let files = diff.files.iter().filter(|file| file.path_on(Side::Old) == finding.file_path);
    files.filter(|file| file.new_path.is_some()).find_map(|file| beside(finding, file)).unwrap_or(own)
}

fn beside<'a>(finding: &FindingBody, file: &'a FileDiff<'a>) -> Option<Place<'a>> {
    let hunk = file.hunks.iter().find(|hunk| hunk.header == finding.hunk_header)?;
    Some(Place { path: file.path(), line: line_beside(hunk, finding.line_number)?.max(1) })
}

/// The number of the next line that is still there, or of the last one before.
fn line_beside(hunk: &Hunk<'_>, removed: u32) -> Option<u32> {
    let at = hunk.lines.iter().position(|line| line.side() == Side::Old && line.old == Some(removed))?;
    let (before, after) = hunk.lines.split_at(at);
    let next = after.iter().find_map(|line| line.new).or_else(|| before.iter().rev().find_map(|line| line.new));
    Some(next.unwrap_or(hunk.new.start))
}

/// What to say about a line that is not in the new file.
pub(super) fn remark(finding: &FindingBody) -> Option<String> {
    let removed = finding.line_side == Side::Old;
    removed.then(|| format!("about the removed line {}", finding.line_number))
}
