//! Cached results of queries that many rules make on a change.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// The cached results.
#[derive(Debug, Default)]
pub(super) struct Memo {
    /// The lines of the hunk with new words, in order, one entry per word.
    pub(super) inserted: OnceCell<Vec<usize>>,
    /// By node of the old tree: the first paired token at or after it.
    pub(super) paired: OnceCell<Vec<u32>>,
    pub(super) removed_statements: OnceCell<Vec<u32>>,
    /// Pairs of a removed line of the hunk and the added line that replaced it.
    pub(super) replaced_lines: OnceCell<Vec<(usize, usize)>>,
    /// Pairs of a name of the old tree and the name of the new tree that replaced it.
    pub(super) replaced_names: OnceCell<Vec<(u32, u32)>>,
    /// By line of the hunk.
    pub(super) lines: RefCell<HashMap<usize, LineMemo>>,
    /// Whether a short text occurs among the added lines.
    pub(super) reappears: RefCell<HashMap<String, bool>>,
}

/// Facts about a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineMemo {
    /// It contains more than a few letters and digits.
    pub(super) has_content: bool,
    /// The file adds the same line, ignoring white space and renamed names.
    pub(super) is_added: bool,
    /// How often the file removes it.
    pub(super) times_removed: usize,
}
