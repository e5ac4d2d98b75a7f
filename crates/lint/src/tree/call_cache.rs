//! Calls that were read, as ranges and places. Most rules ask for the same call one after the other, so it is remembered for
//! a while.

use std::cell::RefCell;
use std::ops::Range;

/// Calls that are remembered: more than a rule asks for while it looks at one node.
const PLACES: usize = 64;

/// The calls that were asked for last, by the index of their node.
#[derive(Default)]
pub(super) struct CallCache(RefCell<Vec<Option<Known>>>);

/// A call by the places of its parts in the tree.
pub(super) struct Known {
    pub(super) node: usize,
    /// `None`: it is no call that can be read.
    pub(super) parts: Option<Parts>,
}

pub(super) struct Parts {
    pub(super) callee: Range<usize>,
    pub(super) name: Range<usize>,
    pub(super) receiver: Option<usize>,
    pub(super) arguments: Vec<usize>,
}

impl CallCache {
    pub(super) fn take(&self, node: usize) -> Option<Known> {
        let mut places = self.0.borrow_mut();
        places.get_mut(node % PLACES)?.take_if(|known| known.node == node)
    }

    pub(super) fn put(&self, known: Known) {
        let mut places = self.0.borrow_mut();
        if places.is_empty() {
            places.resize_with(PLACES, || None);
        }
        if let Some(place) = places.get_mut(known.node % PLACES) {
            *place = Some(known);
        }
    }
}
