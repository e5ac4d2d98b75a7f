//! What is counted of findings and labels.

use super::matching::{By, is_wanted, matched};
use super::said::Said;
use crate::eval::corpus::Item;

/// What is counted of one item in one arm, or of many.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(in crate::eval) struct Count {
    pub(in crate::eval) said: usize,
    pub(in crate::eval) labels: usize,
    pub(in crate::eval) right: usize,
}

impl Count {
    pub(super) fn of(item: &Item, said: &[Said], by: By) -> Self {
        let said: Vec<&Said> = said.iter().collect();
        let labels: Vec<_> = item
            .labels
            .iter()
            .filter(|label| is_wanted(label, by))
            .collect();
        Self {
            said: said.len(),
            labels: labels.len(),
            right: matched(&labels, &said, by),
        }
    }

    pub(in crate::eval) fn add(&mut self, other: Self) {
        self.said += other.said;
        self.labels += other.labels;
        self.right += other.right;
    }

    pub(in crate::eval) fn precision(self) -> f64 {
        ratio(self.right, self.said)
    }

    pub(in crate::eval) fn recall(self) -> f64 {
        ratio(self.right, self.labels)
    }

    pub(in crate::eval) fn f1(self) -> f64 {
        ratio(2 * self.right, self.said + self.labels)
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
