//! The results of an arm for an item.

use review::{DropCause, Side};

use crate::eval::tape::Spent;

/// The known parts of a finding.
#[derive(Clone, Debug)]
pub(super) struct ArmFinding {
    pub(super) path: String,
    pub(super) line: Option<u32>,
    pub(super) side: Side,
    pub(super) text: String,
    /// Why it was not returned.
    pub(super) lost: Option<DropCause>,
}

/// The results of an arm for an item.
#[derive(Default)]
pub(in crate::eval) struct ArmResult {
    /// All findings, including dropped ones.
    pub(super) pool: Vec<ArmFinding>,
    pub(super) spent: Spent,
    /// A part of the item was not reviewed.
    pub(super) failed: bool,
}

impl ArmResult {
    pub(super) fn kept(&self) -> Vec<ArmFinding> {
        self.pool
            .iter()
            .filter(|found| found.lost.is_none())
            .cloned()
            .collect()
    }
}
