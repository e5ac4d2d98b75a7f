//! The position of a finding in the files after the change, for formats without an old side.

use crate::diff::{Diff, FileDiff, Hunk, Side};
use crate::finding::Reference;
use crate::output::json::{FindingBody, RelatedLocation};
use crate::span::byte_offset;

/// Maximum number of related places in a text.
const NAMED: usize = 5;

/// A line of a file after the change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place<'a> {
    /// The path.
    pub path: &'a str,
    /// The line's number, from 1.
    pub line: u32,
    /// The range of the code, if known in the new file.
    pub range: Option<Range>,
}

/// The range of the code that a finding is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The column of the first character, on the finding's line.
    pub start_column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// The finding's own line or, for a removed line, the following line of the new file. A removed file has only its old
/// lines.
#[must_use]
pub fn in_new_file<'a>(finding: &'a FindingBody, diff: &'a Diff<'a>) -> Place<'a> {
    let own = Place {
        path: &finding.file_path,
        line: finding.line_number.max(1),
        range: None,
    };
    if finding.line_side == Side::New {
        return Place {
            range: range(finding),
            ..own
        };
    }
    let files = diff
        .files
        .iter()
        .filter(|file| file.path_on(Side::Old) == finding.file_path);
    files
        .filter(|file| file.new_path.is_some())
        .find_map(|file| next_in_new_file(finding, file))
        .unwrap_or(own)
}

fn next_in_new_file<'a>(finding: &FindingBody, file: &'a FileDiff<'a>) -> Option<Place<'a>> {
    let hunk = file
        .hunks
        .iter()
        .find(|hunk| hunk.header == finding.hunk_header)?;
    Some(Place {
        path: file.path(),
        line: line_beside(hunk, finding.line_number)?.max(1),
        range: None,
    })
}

/// All fields or none: a response from a service may lack some.
fn range(finding: &FindingBody) -> Option<Range> {
    let (start_column, end_column) = (finding.start_column?, finding.end_column?);
    let range = Range {
        start_column,
        end_line: finding.end_line?,
        end_column,
    };
    let in_order = (finding.line_number, start_column) <= (range.end_line, end_column);
    (in_order && start_column > 0 && end_column > 0).then_some(range)
}

/// A related place in the files after the change.
#[must_use]
pub fn related_in_new_file<'a>(of: &'a RelatedLocation, diff: &'a Diff<'a>) -> Place<'a> {
    let own = Place {
        path: &of.file_path,
        line: of.line_number.max(1),
        range: None,
    };
    if of.line_side == Side::New {
        return own;
    }
    let files = diff
        .files
        .iter()
        .filter(|file| file.path_on(Side::Old) == of.file_path && file.new_path.is_some());
    let mut hunks = files.flat_map(|file| file.hunks.iter().map(move |hunk| (file, hunk)));
    let found = hunks.find_map(|(file, hunk)| Some((file, line_beside(hunk, of.line_number)?)));
    found.map_or(own, |(file, line)| Place {
        path: file.path(),
        line: line.max(1),
        range: None,
    })
}

/// A column of the new file in bytes.
pub(super) fn byte_column(
    of: &FindingBody,
    diff: &Diff<'_>,
    (number, column): (u32, u32),
) -> Option<usize> {
    let files = diff
        .files
        .iter()
        .filter(|file| file.path_on(Side::New) == of.file_path);
    let hunks = files
        .flat_map(|file| &file.hunks)
        .filter(|hunk| hunk.header == of.hunk_header);
    let line = hunks
        .flat_map(|hunk| &hunk.lines)
        .find(|line| line.new == Some(number))?;
    Some(byte_offset(line.text, column)? + 1)
}

/// The related places and the references as text, `also at a.py:3, b.py:9; used at c.py:1`. If there are many, the
/// first ones and the number of the others.
pub(super) fn other_places(finding: &FindingBody) -> Option<String> {
    let name = |one: &RelatedLocation| {
        let removed = if one.line_side == Side::Old {
            " (removed)"
        } else {
            ""
        };
        format!("{}:{}{removed}", one.file_path, one.line_number)
    };
    let also = listed("also at", finding.related_locations.iter().map(name));
    let reference = |one: &Reference| format!("{}:{}", one.file_path, one.line_number);
    let used = listed("used at", finding.references.iter().map(reference));
    let parts: Vec<String> = also.into_iter().chain(used).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The first places of a list, and the number of the others.
fn listed(intro: &str, places: impl ExactSizeIterator<Item = String>) -> Option<String> {
    let more = places.len().saturating_sub(NAMED);
    let mut names: Vec<String> = places.take(NAMED).collect();
    names.extend((more > 0).then(|| format!("{more} more")));
    (!names.is_empty()).then(|| format!("{intro} {}", names.join(", ")))
}

/// The number of the next remaining line, or of the last one before.
fn line_beside(hunk: &Hunk<'_>, removed: u32) -> Option<u32> {
    let at = hunk
        .lines
        .iter()
        .position(|line| line.side() == Side::Old && line.old == Some(removed))?;
    let (before, after) = hunk.lines.split_at(at);
    let next = after
        .iter()
        .find_map(|line| line.new)
        .or_else(|| before.iter().rev().find_map(|line| line.new));
    Some(next.unwrap_or(hunk.new.start))
}

/// A remark for formats without suitable fields: the line is not in the new file, or the finding is suppressed.
#[must_use]
pub fn remark(finding: &FindingBody) -> Option<String> {
    let is_removed = finding.line_side == Side::Old;
    let removed = is_removed.then(|| format!("about the removed line {}", finding.line_number));
    let remarks: Vec<String> = removed.into_iter().chain(suppressed_by(finding)).collect();
    (!remarks.is_empty()).then(|| remarks.join("; "))
}

/// A description of the comment that suppresses the finding.
pub(super) fn suppressed_by(finding: &FindingBody) -> Option<String> {
    let comment = finding.suppression.as_ref()?;
    Some(format!(
        "suppressed by the comment on line {}: {}",
        comment.line_number, comment.reason
    ))
}
