//! What was decided on the candidates of a change.

use super::selector;
use crate::locate::Located;

/// What was decided on the candidates of a change, by their place in the pool.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Ranking {
    /// Those that were chosen, best first.
    pub(crate) chosen: Vec<usize>,
    /// Those that a line of code contradicts.
    pub(crate) doubted: Vec<usize>,
}

impl Ranking {
    /// The order that code can tell.
    pub(crate) fn computed(pool: &[&Located], quota: usize) -> Self {
        let mut chosen = selector::competing(pool);
        chosen.truncate(quota);
        Self { chosen, doubted: Vec::new() }
    }
}
