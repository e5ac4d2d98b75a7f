//! Matches findings with the reviewers' labels.

use review::claim::Claim;

use super::arm_result::ArmFinding;
use crate::eval::corpus::Label;
use crate::eval::score::is_near;

/// Maximum distance in lines of a finding from a label, and from a finding that it repeats.
const SLACK: u32 = 3;

/// The required similarity of a finding and a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The same file, and a line within the maximum distance.
    Place,
    /// The place and most of the significant words, or only the words for a label without a line. Words are a cheap
    /// substitute for a human reader: different wordings of the same problem are missed.
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

fn is_match(label: &Label, found: &ArmFinding, by: By) -> bool {
    let is_at = |line| is_near(label, &found.path, found.side, line, SLACK);
    let is_there = found.line.is_some_and(is_at);
    match by {
        By::Place => is_there,
        By::Meaning => {
            let is_there = if has_line(label) {
                is_there
            } else {
                label
                    .file_path
                    .as_ref()
                    .is_none_or(|path| *path == found.path)
            };
            is_there
                && label
                    .note
                    .as_deref()
                    .is_some_and(|note| Claim::of(note).is_same(&Claim::of(&found.text)))
        }
    }
}

/// The number of labels with a finding of their own, in a maximum matching.
pub(super) fn matched(labels: &[&Label], found: &[&ArmFinding], by: By) -> usize {
    let fits: Vec<Vec<usize>> = labels
        .iter()
        .map(|label| {
            (0..found.len())
                .filter(|at| found.get(*at).is_some_and(|one| is_match(label, one, by)))
                .collect()
        })
        .collect();
    let mut label_of = vec![None; found.len()];
    (0..labels.len())
        .filter(|label| assign(*label, &fits, &mut label_of, &mut vec![false; found.len()]))
        .count()
}

/// Assigns a finding to a label, and moves other labels to other findings if necessary.
fn assign(
    label: usize,
    fits: &[Vec<usize>],
    label_of: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for &found in fits.get(label).into_iter().flatten() {
        if std::mem::replace(&mut tried[found], true) {
            continue;
        }
        if label_of[found].is_none_or(|other| assign(other, fits, label_of, tried)) {
            label_of[found] = Some(label);
            return true;
        }
    }
    false
}

/// The number of findings that repeat an earlier one at the same place.
pub(super) fn repeats(found: &[ArmFinding]) -> usize {
    let is_repeat = |(at, one): (usize, &ArmFinding)| {
        found.iter().take(at).any(|earlier| is_same(earlier, one))
    };
    found
        .iter()
        .enumerate()
        .filter(|pair| is_repeat(*pair))
        .count()
}

fn is_same(a: &ArmFinding, b: &ArmFinding) -> bool {
    let is_near = a
        .line
        .zip(b.line)
        .is_some_and(|(a, b)| a.abs_diff(b) <= SLACK);
    a.path == b.path
        && a.side == b.side
        && is_near
        && Claim::of(&a.text).is_same(&Claim::of(&b.text))
}
