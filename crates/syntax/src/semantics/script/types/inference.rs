//! One question about a type leads to others: how often, before it is given up.

/// How many times.
const DEPTH: u32 = 6;
/// How many times for what a function gives: its call was the first question.
const RESULT_DEPTH: u32 = 4;

/// An inference: what is asked is in the files beside this one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inference {
    left: u32,
}

impl Inference {
    pub(super) fn new() -> Self {
        Self { left: DEPTH }
    }

    pub(super) fn of_result() -> Self {
        Self { left: RESULT_DEPTH }
    }

    /// The same, one question further.
    pub(super) fn deeper(self) -> Self {
        Self {
            left: self.left.saturating_sub(1),
        }
    }

    pub(super) fn is_over(self) -> bool {
        self.left == 0
    }
}
