//! What rules ask again and again of a change, worked out when it is first asked.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// The answers so far.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The lines of the hunk on which words stand that were not there before, one entry for each word, in order.
    pub(super) inserted: OnceCell<Vec<usize>>,
    /// By node of the old tree: the first token from it on that has a partner.
    pub(super) paired: OnceCell<Vec<u32>>,
    pub(super) removed_statements: OnceCell<Vec<u32>>,
    /// By line of the hunk.
    pub(super) lines: RefCell<HashMap<usize, LineMemo>>,
    /// Whether a short text stands among the added lines.
    pub(super) reappears: RefCell<HashMap<String, bool>>,
}

/// What became of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineMemo {
    /// It has more than a few letters and digits.
    pub(super) says_something: bool,
    /// The file adds a line that it became: the same, white space and renamed names aside.
    pub(super) is_added: bool,
    /// How often the file removes it.
    pub(super) times_removed: usize,
}
