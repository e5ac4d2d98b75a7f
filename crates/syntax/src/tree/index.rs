//! An index of names, built in one walk for all rules.

use std::collections::HashMap;
use std::ops::Range;

/// The names of a tree.
#[derive(Debug, Default)]
pub(crate) struct Index {
    /// The position of each name in the list.
    names: HashMap<Box<str>, usize>,
    places: Vec<Places>,
    /// Positions of PHP includes, in document order.
    pub(super) inclusions: Vec<u32>,
}

/// The positions of a name, each list in document order.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Functions and classes with this name.
    pub(super) definitions: Vec<u32>,
    /// Whether something other than a definition binds it in Python.
    pub(super) is_set: bool,
    /// Its bindings in Python.
    pub(super) bindings: Vec<u32>,
}

impl Index {
    pub(super) fn note(&mut self, name: &str, what: impl FnOnce(&mut Places)) {
        // Most names are known already; only new ones are copied.
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

    /// Whether a range of the document includes another file, in PHP.
    pub(crate) fn includes_file(&self, range: Range<usize>) -> bool {
        let at = |limit: usize| {
            self.inclusions
                .partition_point(|place| (*place as usize) < limit)
        };
        at(range.start) < at(range.end)
    }

    /// Whether something other than a definition binds a name in Python.
    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.find(name).is_some_and(|places| places.is_set)
    }
}
