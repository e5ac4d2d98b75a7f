//! The place of a finding in the host's diff.

use forge::Style;
use review::output::json::FindingBody;
use review::{Diff, FileDiff, Hunk, Line, Side, fingerprint};

use super::suggestion::{Suggestion, suggestion};

/// The place of a comment.
#[derive(Debug)]
pub(super) struct Place<'a> {
    pub(super) file: &'a FileDiff<'a>,
    /// The first and the last line of the comment, on the side of the finding.
    pub(super) lines: (u32, u32),
    /// The line of the finding itself.
    pub(super) line: Line<'a>,
    pub(super) suggestion: Option<Suggestion>,
}

/// The place of a finding; `None` if the host's diff does not have its line, or has another text there.
pub(super) fn place<'a>(
    finding: &FindingBody,
    diff: &'a Diff<'a>,
    style: Style,
) -> Option<Place<'a>> {
    let of_finding = |file: &&FileDiff<'_>| file.path_on(finding.line_side) == finding.file_path;
    diff.files
        .iter()
        .filter(of_finding)
        .find_map(|file| in_file(finding, file, style))
}

fn in_file<'a>(finding: &FindingBody, file: &'a FileDiff<'a>, style: Style) -> Option<Place<'a>> {
    let is_line = |line: &&Line<'_>| {
        line.side() == finding.line_side && line.number() == Some(finding.line_number)
    };
    let (hunk, line) = file
        .hunks
        .iter()
        .find_map(|hunk| Some((hunk, hunk.lines.iter().find(is_line)?)))?;
    if fingerprint(finding.source(), file.path(), line.text) != finding.fingerprint {
        return None;
    }
    let suggestion = suggestion(finding, hunk);
    let own = (finding.line_number, finding.line_number);
    let lines = match (style, &suggestion) {
        (Style::GitLab, _) => own,
        (Style::GitHub, Some(suggestion)) => (suggestion.first, suggestion.last),
        (Style::GitHub, None) => (finding.line_number, last_line(finding, hunk)),
    };
    Some(Place {
        file,
        lines,
        line: *line,
        suggestion,
    })
}

/// The last line of the code that the finding is about, if it is in the hunk.
fn last_line(finding: &FindingBody, hunk: &Hunk<'_>) -> u32 {
    let number = |line: &Line<'_>| match finding.line_side {
        Side::New => line.new,
        Side::Old => line.old,
    };
    let is_there = |last: &u32| {
        *last > finding.line_number && hunk.lines.iter().any(|line| number(line) == Some(*last))
    };
    finding
        .end_line
        .filter(is_there)
        .unwrap_or(finding.line_number)
}
