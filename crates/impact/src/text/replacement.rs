//! The added line that replaces a removed one.

use std::collections::HashMap;

use review::{Chunk, Line, LineKind};

/// Minimum similarity of a removed line and the one that replaces it: at the same position of an edit, and elsewhere in
/// it.
const SIMILAR_AT_SAME_PLACE: f64 = 0.4;
const SIMILAR: f64 = 0.7;
/// Maximum number of added lines of an edit that are compared with a removed one, and their maximum length.
const COMPARED: usize = 20;
const LONGEST: usize = 300;
/// Maximum length of the parts in which two lines differ.
const DIFFERENT: usize = 64;

/// The edits of a file: runs of removed and added lines.
pub struct Edits<'l> {
    edits: Vec<Edit<'l>>,
    /// The edit of each removed line, and its position among the removed lines of that edit, by line number.
    removed: HashMap<u32, (usize, usize)>,
}

/// The removed and the added lines of an edit.
#[derive(Default)]
struct Edit<'l> {
    removed: Vec<&'l Line<'l>>,
    added: Vec<&'l Line<'l>>,
}

impl<'l> Edits<'l> {
    /// The edits of a file.
    #[must_use]
    pub fn of(file: &'l Chunk<'_>) -> Self {
        Self::within(file.hunks.iter().map(|hunk| &*hunk.lines))
    }

    /// The edits in several lists of successive lines.
    pub(crate) fn within<'d: 'l>(hunks: impl Iterator<Item = &'l [Line<'d>]>) -> Self {
        let mut found = Self {
            edits: Vec::new(),
            removed: HashMap::new(),
        };
        let is_edit = |line: &Line<'_>| line.kind != LineKind::Context;
        let runs = hunks.flat_map(|lines| lines.chunk_by(move |a, b| is_edit(a) == is_edit(b)));
        for run in runs {
            let mut edit = Edit::default();
            for line in run {
                match line.kind {
                    LineKind::Removed => {
                        let place = (found.edits.len(), edit.removed.len());
                        found.removed.extend(line.old.map(|old| (old, place)));
                        edit.removed.push(line);
                    }
                    LineKind::Added => edit.added.push(line),
                    LineKind::Context => {}
                }
            }
            found.edits.push(edit);
        }
        found
    }

    /// The added line that replaces a removed one.
    #[must_use]
    pub fn replacement(&self, old: u32) -> Option<u32> {
        let (edit, position) = *self.removed.get(&old)?;
        let Edit { removed, added } = self.edits.get(edit)?;
        let old = removed.get(position)?;
        let similarity = |new: &Line<'_>| {
            let texts = [old.text.trim(), new.text.trim()];
            let is_short = texts.iter().all(|text| text.len() <= LONGEST);
            let [old, new] = texts;
            is_short.then(|| likeness(old, new))?
        };
        let same_place = added
            .get(position)
            .filter(|_| added.len() == removed.len())
            .filter(|new| similarity(new) >= Some(SIMILAR_AT_SAME_PLACE));
        let best = || {
            let alike = added
                .iter()
                .take(COMPARED)
                .filter_map(|new| Some((similarity(new)?, new)));
            alike
                .filter(|(similarity, _)| *similarity >= SIMILAR)
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .map(|(_, new)| new)
        };
        same_place.or_else(best)?.new
    }
}

/// The share of two lines that an edit keeps; `None` if the parts that differ are too long to compare.
fn likeness(old: &str, new: &str) -> Option<f64> {
    let start = common(old.chars(), new.chars());
    let rest = |text: &str| text.chars().skip(start).collect::<Vec<_>>();
    let (old_rest, new_rest) = (rest(old), rest(new));
    let end = common(old_rest.iter().rev(), new_rest.iter().rev());
    let middle = |rest: &[char]| rest.iter().take(rest.len() - end).collect::<String>();
    let (old_part, new_part) = (middle(&old_rest), middle(&new_rest));
    if old_part.len().max(new_part.len()) > DIFFERENT {
        return None;
    }
    let longer = start + old_rest.len().max(new_rest.len());
    let edits = strsim::osa_distance(&old_part, &new_part);
    Some(1.0 - share(edits, longer.max(1)))
}

fn common<T: PartialEq>(old: impl Iterator<Item = T>, new: impl Iterator<Item = T>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).count()
}

fn share(part: usize, whole: usize) -> f64 {
    let number = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    number(part) / number(whole)
}

#[cfg(test)]
mod tests {
    use super::likeness;

    #[test]
    fn lines_are_as_alike_as_an_edit_keeps_of_them() {
        for (old, new, least, most) in [
            (
                "def total(prices):", "def total_of(prices, rate):", 0.6, 0.7,
            ),
            ("NO_NAG = td()", "NAG_DISABLED = td()", 0.4, 0.7),
            ("same", "same", 1.0, 1.0),
            ("", "", 1.0, 1.0),
            ("größe()", "länge()", 0.4, 0.8),
        ] {
            let found = likeness(old, new).unwrap();
            assert!((least..=most).contains(&found), "{old} {new}: {found}");
        }
        let long = "x".repeat(100);
        assert_eq!(likeness(&long, &"y".repeat(100)), None);
    }
}
