//! The places of a finding.

use review::output::json::FindingBody;
use review::{Diff, Line, Side};

/// A line with the defect.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) path: &'a str,
    pub(super) side: Side,
    pub(super) line: u32,
}

/// The line of a finding, and those with the same defect.
pub(super) fn places(finding: &FindingBody) -> Vec<Place<'_>> {
    let own = Place {
        path: &finding.file_path,
        side: finding.line_side,
        line: finding.line_number,
    };
    let related = finding.related_locations.iter().map(|related| Place {
        path: &related.file_path,
        side: related.line_side,
        line: related.line_number,
    });
    [own].into_iter().chain(related).collect()
}

/// The line at a place.
pub(super) fn line<'d>(diff: &'d Diff<'_>, place: &Place<'_>) -> Option<&'d Line<'d>> {
    let number = Some(place.line);
    let file = diff.files.iter().find(|file| file.path() == place.path)?;
    let mut lines = file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
    lines.find(|line| match place.side {
        Side::New => line.new == number,
        Side::Old => line.old == number,
    })
}
