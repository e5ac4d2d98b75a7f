//! Converts a replacement to whole lines, which hosts can apply.

use review::output::json::FindingBody;
use review::visible::visible;
use review::{Hunk, Line, Side, byte_offset};

/// Maximum number of lines before and after the line of a comment: GitLab's limit.
const LINES: u32 = 100;

/// The replacement of lines on the new side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Suggestion {
    pub(super) first: u32,
    pub(super) last: u32,
    /// Without a line feed at its end.
    pub(super) text: String,
}

/// The suggestion for a finding, if its line is among the replaced ones, the hunk contains them all, and the visible
/// text is the text that would be applied.
pub(super) fn suggestion(finding: &FindingBody, hunk: &Hunk<'_>) -> Option<Suggestion> {
    let edit = finding.replacement.as_ref()?;
    let (first, last) = (edit.start_line, edit.end_line);
    let is_around = finding.line_side == Side::New && (first..=last).contains(&finding.line_number);
    let in_order = (first, edit.start_column) <= (last, edit.end_column);
    if !is_around || !in_order || last - first >= LINES {
        return None;
    }
    let (start, end) = (text(hunk, first)?, text(hunk, last)?);
    let before = start.get(..byte_offset(start, edit.start_column)?)?;
    let after = end.get(byte_offset(end, edit.end_column)?..)?;
    let text = format!("{before}{}{after}", edit.text);
    let is_seen = text
        .chars()
        .all(|c| matches!(c, '\n' | '\t') || visible(c) == c);
    // To some hosts an empty block means that lines are removed, to others an empty line.
    (is_seen && !text.trim().is_empty() && !text.ends_with('\n')).then_some(Suggestion {
        first,
        last,
        text,
    })
}

/// The text of a line of the new side, if a host can replace it.
fn text<'a>(hunk: &Hunk<'a>, number: u32) -> Option<&'a str> {
    let is_whole = |line: &&Line<'_>| {
        line.new == Some(number) && line.terminated && !line.text.ends_with('\r')
    };
    hunk.lines.iter().find(is_whole).map(|line| line.text)
}
