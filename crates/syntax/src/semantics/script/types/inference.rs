//! Limits nested queries about types.

/// Maximum depth.
const DEPTH: u32 = 6;
/// Maximum depth for the result of a function. The call itself was the first query.
const RESULT_DEPTH: u32 = 4;

/// An inference. The queries are in the other files of this folder.
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

    /// The inference for a nested query.
    pub(super) fn deeper(self) -> Self {
        Self {
            left: self.left.saturating_sub(1),
        }
    }

    pub(super) fn is_over(self) -> bool {
        self.left == 0
    }
}
