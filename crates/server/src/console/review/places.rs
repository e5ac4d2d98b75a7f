//! Anchors on the page for the related places of findings.

use std::collections::{HashMap, HashSet};

use review::output::json::ReviewBody;
use review::{Diff, FileDiff, Line, Side};

/// A line of the diff: the path on its side, the side, and the number there.
pub(super) type Key<'a> = (&'a str, Side, u32);

/// The anchors of the lines that findings refer to as related places.
pub(super) struct Places<'a>(HashMap<Key<'a>, String>);

impl<'a> Places<'a> {
    /// Anchors of all related places of the review.
    pub(super) fn of(diff: &'a Diff<'a>, body: &'a ReviewBody) -> Self {
        let related = body
            .shown_findings()
            .flat_map(|finding| &finding.related_locations);
        let wanted: HashSet<Key<'_>> = related
            .map(|place| (place.file_path.as_str(), place.line_side, place.line_number))
            .collect();
        let mut places = HashMap::new();
        if wanted.is_empty() {
            return Self(places);
        }
        for (at, file) in diff.files.iter().enumerate() {
            for line in file.hunks.iter().flat_map(|hunk| &hunk.lines) {
                if let Some(key) = key(file, line).filter(|key| wanted.contains(key)) {
                    let anchor = format!(
                        "line-{}-{}{}",
                        at + 1,
                        if key.1 == Side::Old { "old-" } else { "" },
                        key.2
                    );
                    places.entry(key).or_insert(anchor);
                }
            }
        }
        Self(places)
    }

    /// The line's `id` on the page.
    pub(super) fn anchor(&self, path: &str, side: Side, line: u32) -> Option<String> {
        self.0.get(&(path, side, line)).cloned()
    }
}

/// The key of a line; `None` if it has no number.
pub(super) fn key<'a>(file: &'a FileDiff<'a>, line: &Line<'_>) -> Option<Key<'a>> {
    Some((file.path_on(line.side()), line.side(), line.number()?))
}
