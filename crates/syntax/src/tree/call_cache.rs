//! A cache of parsed calls, as ranges and positions, because most rules query the same call in succession.

use std::cell::RefCell;
use std::ops::Range;

/// Capacity: more calls than a rule examines for one node.
const PLACES: usize = 64;

/// The most recently requested calls, by node index.
#[derive(Default)]
pub(super) struct CallCache(RefCell<Vec<Option<CachedCall>>>);

/// A call, by the positions of its parts in the tree.
pub(super) struct CachedCall {
    pub(super) node: usize,
    /// `None`: not a call that can be parsed.
    pub(super) parts: Option<Parts>,
}

pub(super) struct Parts {
    pub(super) callee: Range<usize>,
    pub(super) name: Range<usize>,
    pub(super) receiver: Option<usize>,
    pub(super) arguments: Vec<usize>,
}

impl CallCache {
    pub(super) fn take(&self, node: usize) -> Option<CachedCall> {
        let mut places = self.0.borrow_mut();
        places
            .get_mut(node % PLACES)?
            .take_if(|known| known.node == node)
    }

    pub(super) fn put(&self, known: CachedCall) {
        let mut places = self.0.borrow_mut();
        if places.is_empty() {
            places.resize_with(PLACES, || None);
        }
        if let Some(place) = places.get_mut(known.node % PLACES) {
            *place = Some(known);
        }
    }
}
