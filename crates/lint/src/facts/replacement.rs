//! The added line that replaces a removed one.

use review::{Line, LineKind};

/// Minimum similarity of a removed line and the one that replaces it: at the same position of an edit, and elsewhere in
/// it.
const SIMILAR_AT_SAME_PLACE: f64 = 0.4;
const SIMILAR: f64 = 0.7;
/// Maximum number of added lines of an edit that are compared with a removed one, and their maximum length.
const COMPARED: usize = 20;
const LONGEST: usize = 300;

/// The added line that replaces a removed one.
pub(super) fn replacement_line(lines: &[Line<'_>], old: u32) -> Option<u32> {
    let is_edit = |line: &Line<'_>| line.kind != LineKind::Context;
    let edit = lines
        .chunk_by(|a, b| is_edit(a) == is_edit(b))
        .find(|edit| {
            edit.iter()
                .any(|line| line.kind == LineKind::Removed && line.old == Some(old))
        })?;
    let of = |kind| edit.iter().filter(move |line| line.kind == kind);
    let (position, removed) = of(LineKind::Removed)
        .enumerate()
        .find(|(_, line)| line.old == Some(old))?;
    let similarity = |added: &Line<'_>| {
        let texts = [removed.text.trim(), added.text.trim()];
        let is_short = texts.iter().all(|text| text.len() <= LONGEST);
        let [old, new] = texts;
        is_short.then(|| strsim::normalized_damerau_levenshtein(old, new))
    };
    let same_place = of(LineKind::Added)
        .nth(position)
        .filter(|_| of(LineKind::Added).count() == of(LineKind::Removed).count())
        .filter(|added| similarity(added) >= Some(SIMILAR_AT_SAME_PLACE));
    let best = || {
        of(LineKind::Added)
            .take(COMPARED)
            .filter_map(|added| Some((similarity(added)?, added)))
            .filter(|(similarity, _)| *similarity >= SIMILAR)
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(_, added)| added)
    };
    same_place.or_else(best)?.new
}
