//! The reviewers that are compared.

use llm::Plain;

/// A reviewer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::eval) enum Arm {
    Ours,
    Pasted,
    Numbered,
    AtMost,
}

impl Arm {
    pub(in crate::eval) const ALL: [Self; 4] =
        [Self::Ours, Self::Pasted, Self::Numbered, Self::AtMost];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Pasted => "A: pasted diff",
            Self::Numbered => "B: our schema",
            Self::AtMost => "C: B, at most K",
        }
    }

    /// Its plain prompt; `None` for the engine.
    pub(super) fn plain(self, at_most: usize) -> Option<Plain> {
        match self {
            Self::Ours => None,
            Self::Pasted => Some(Plain::Pasted),
            Self::Numbered => Some(Plain::Numbered),
            Self::AtMost => Some(Plain::AtMost(at_most)),
        }
    }
}

/// The asker name of an arm's calls for an item.
pub(in crate::eval) fn asker(arm: Arm, item: &str) -> String {
    let arm = match arm {
        Arm::Ours => "ours",
        Arm::Pasted => "pasted",
        Arm::Numbered => "numbered",
        Arm::AtMost => "at-most",
    };
    format!("{arm} {item}")
}
