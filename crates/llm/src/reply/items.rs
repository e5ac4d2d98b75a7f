//! The parsed findings of a reply.

use review::repository::Lookup;

use super::finding::RawFinding;
use super::lenient::ITEMS;

/// The readable part of a reply.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Items {
    pub(crate) items: Vec<RawFinding>,
    /// Items that could not be parsed or exceeded the limit.
    pub(crate) unreadable: usize,
    /// The reply was cut off: there may have been more.
    pub(crate) cut: bool,
    /// The look-ups that the model requests before it answers.
    pub(crate) lookups: Vec<Lookup>,
}

impl Items {
    /// Adds the rest of the same answer.
    pub(crate) fn extend(&mut self, rest: Self) {
        let new: Vec<RawFinding> = rest
            .items
            .into_iter()
            .filter(|item| !self.items.contains(item))
            .collect();
        self.unreadable += rest.unreadable + (self.items.len() + new.len()).saturating_sub(ITEMS);
        self.items.extend(new);
        self.items.truncate(ITEMS);
        self.cut = rest.cut;
    }
}
