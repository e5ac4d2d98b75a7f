//! Which findings say what people said.

use review::claim::Claim;

use super::said::Said;
use crate::eval::corpus::Label;
use crate::eval::score::is_near;

/// Lines that a finding may be away from what people pointed at, and from a finding that it repeats.
const SLACK: u32 = 3;

/// What a finding and a label have to have in common.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The file, and the line within three.
    Place,
    /// The place, and most of the words that matter; for a label without a line the words alone. Words are a cheap stand-in for
    /// a reader: they miss what is said in other words.
    Meaning,
}

/// Whether a label can be matched this way.
pub(super) fn is_wanted(label: &Label, by: By) -> bool {
    match by {
        By::Place => has_line(label),
        By::Meaning => label
            .note
            .as_deref()
            .is_some_and(|note| !note.trim().is_empty()),
    }
}

fn has_line(label: &Label) -> bool {
    label.line.unwrap_or(0) > 0
}

fn is_match(label: &Label, said: &Said, by: By) -> bool {
    let is_at = |line| is_near(label, &said.path, said.side, line, SLACK);
    let is_there = said.line.is_some_and(is_at);
    match by {
        By::Place => is_there,
        By::Meaning => {
            let is_there = if has_line(label) {
                is_there
            } else {
                label
                    .file_path
                    .as_ref()
                    .is_none_or(|path| *path == said.path)
            };
            is_there
                && label
                    .note
                    .as_deref()
                    .is_some_and(|note| Claim::of(note).is_same(&Claim::of(&said.text)))
        }
    }
}

/// How many labels have a finding of their own: as many as any assignment of one finding to one label reaches.
pub(super) fn matched(labels: &[&Label], said: &[&Said], by: By) -> usize {
    let fits: Vec<Vec<usize>> = labels
        .iter()
        .map(|label| {
            (0..said.len())
                .filter(|at| said.get(*at).is_some_and(|one| is_match(label, one, by)))
                .collect()
        })
        .collect();
    let mut label_of = vec![None; said.len()];
    (0..labels.len())
        .filter(|label| assign(*label, &fits, &mut label_of, &mut vec![false; said.len()]))
        .count()
}

/// Finds a finding for a label, moving other labels to other findings where that makes room.
fn assign(
    label: usize,
    fits: &[Vec<usize>],
    label_of: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for &said in fits.get(label).into_iter().flatten() {
        if std::mem::replace(&mut tried[said], true) {
            continue;
        }
        if label_of[said].is_none_or(|other| assign(other, fits, label_of, tried)) {
            label_of[said] = Some(label);
            return true;
        }
    }
    false
}

/// How many findings say what one before them says of the same place.
pub(super) fn repeats(said: &[Said]) -> usize {
    let is_repeat =
        |(at, one): (usize, &Said)| said.iter().take(at).any(|earlier| is_same(earlier, one));
    said.iter()
        .enumerate()
        .filter(|pair| is_repeat(*pair))
        .count()
}

fn is_same(a: &Said, b: &Said) -> bool {
    let is_near = a
        .line
        .zip(b.line)
        .is_some_and(|(a, b)| a.abs_diff(b) <= SLACK);
    a.path == b.path
        && a.side == b.side
        && is_near
        && Claim::of(&a.text).is_same(&Claim::of(&b.text))
}
