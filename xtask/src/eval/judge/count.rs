//! The counts of findings and labels.

use super::arm_result::ArmFinding;
use super::matching::{By, is_wanted, matched};
use crate::eval::corpus::Item;

/// The counts of one or more items in one arm.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::eval) struct Count {
    pub(in crate::eval) found: usize,
    pub(in crate::eval) labels: usize,
    pub(in crate::eval) right: usize,
}

impl Count {
    pub(super) fn of(item: &Item, found: &[ArmFinding], by: By) -> Self {
        let found: Vec<&ArmFinding> = found.iter().collect();
        let labels: Vec<_> = item
            .labels
            .iter()
            .filter(|label| is_wanted(label, by))
            .collect();
        Self {
            found: found.len(),
            labels: labels.len(),
            right: matched(&labels, &found, by),
        }
    }

    pub(in crate::eval) fn add(&mut self, other: Self) {
        self.found += other.found;
        self.labels += other.labels;
        self.right += other.right;
    }

    pub(in crate::eval) fn precision(self) -> f64 {
        ratio(self.right, self.found)
    }

    pub(in crate::eval) fn recall(self) -> f64 {
        ratio(self.right, self.labels)
    }

    pub(in crate::eval) fn f1(self) -> f64 {
        ratio(2 * self.right, self.found + self.labels)
    }
}

pub(super) fn ratio(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        0.0
    } else {
        part as f64 / whole as f64
    }
}

/// The sum over items.
pub(super) fn total<'a>(counts: impl IntoIterator<Item = &'a Count>) -> Count {
    let mut total = Count::default();
    counts.into_iter().for_each(|count| total.add(*count));
    total
}
