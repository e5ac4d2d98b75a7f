//! What a reply is a list of.

use super::lenient::{ITEMS, Object};

/// An item of the list in a reply.
pub(crate) trait Item: PartialEq + Sized {
    /// Other names that models use for the list.
    const OTHER_NAMES: &'static [&'static str];

    /// Reads an item; `None` if a required property is missing.
    fn read(object: &Object) -> Option<Self>;

    /// Reads an item that is a bare text or number.
    fn read_text(_: &str) -> Option<Self> {
        None
    }

    /// Whether an object is recognizable as such an item outside a list.
    fn is_like(object: &Object) -> bool;

    /// Identifies the item to the model that reported it. This is the model's text, so it must be masked before use.
    fn identity(&self) -> String;
}

/// The readable part of a reply.
#[derive(Debug, PartialEq)]
pub(crate) struct Items<T> {
    pub(crate) items: Vec<T>,
    /// Items that could not be read, or were too many.
    pub(crate) unreadable: usize,
    /// The reply broke off: there may have been more.
    pub(crate) cut: bool,
}

impl<T> Default for Items<T> {
    fn default() -> Self {
        Self { items: Vec::new(), unreadable: 0, cut: false }
    }
}

impl<T: PartialEq> Items<T> {
    /// Adds the rest of the same answer.
    pub(crate) fn extend(&mut self, rest: Self) {
        let new: Vec<T> = rest.items.into_iter().filter(|item| !self.items.contains(item)).collect();
        self.unreadable += rest.unreadable + (self.items.len() + new.len()).saturating_sub(ITEMS);
        self.items.extend(new);
        self.items.truncate(ITEMS);
        self.cut = rest.cut;
    }
}
