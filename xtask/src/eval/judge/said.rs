//! What an arm says of an item.

use review::{DropCause, Side};

use crate::eval::tape::Spent;

/// A finding as far as it is known.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub(super) path: String,
    pub(super) line: Option<u32>,
    pub(super) side: Side,
    pub(super) text: String,
    /// Why it was not returned.
    pub(super) lost: Option<DropCause>,
}

/// What an arm said of an item.
#[derive(Default)]
pub(in crate::eval) struct Heard {
    /// All that was found, also what was dropped.
    pub(super) pool: Vec<Said>,
    pub(super) spent: Spent,
    /// Something of the item was not reviewed.
    pub(super) failed: bool,
}

impl Heard {
    pub(super) fn kept(&self) -> Vec<Said> {
        self.pool
            .iter()
            .filter(|said| said.lost.is_none())
            .cloned()
            .collect()
    }
}
