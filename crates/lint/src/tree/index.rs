//! Where each name stands in a tree: made once, in one walk, for all rules that ask about names.

use std::collections::HashMap;
use std::ops::Range;

/// The names of a tree.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The place of each in the list.
    names: HashMap<Box<str>, usize>,
    places: Vec<Places>,
    /// Where the text of another file is taken in, in PHP; in document order.
    pub(super) inclusions: Vec<u32>,
}

/// Where a name stands, each in document order.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Functions and classes that it is the name of.
    pub(super) definitions: Vec<u32>,
    /// Something else than a definition gives it a value in Python.
    pub(super) is_set: bool,
    /// Where it gets a value in Python.
    pub(super) bindings: Vec<u32>,
}

impl Index {
    pub(super) fn note(&mut self, name: &str, what: impl FnOnce(&mut Places)) {
        // Most names are known already: only a new one is copied.
        let known = self.names.get(name).copied();
        let at = known.unwrap_or_else(|| {
            self.names.insert(name.into(), self.places.len());
            self.places.push(Places::default());
            self.places.len() - 1
        });
        if let Some(places) = self.places.get_mut(at) {
            what(places);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<&Places> {
        self.places.get(*self.names.get(name)?)
    }

    /// Whether the text of another file is taken in within a range of the document, in PHP.
    pub(crate) fn takes_in_text(&self, range: Range<usize>) -> bool {
        let at = |limit: usize| self.inclusions.partition_point(|place| (*place as usize) < limit);
        at(range.start) < at(range.end)
    }

    /// Whether something else than a definition gives a name a value in Python.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.find(name).is_some_and(|places| places.is_set)
    }
}
