//! Storage of positions by name.

use std::cell::OnceCell;
use std::collections::HashMap;

/// The positions of each name of a tree.
#[derive(Debug, Default)]
pub struct Mentions(pub(super) HashMap<Box<str>, Vec<u32>>);

/// Case sensitivity of a lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    AsWritten,
    LowerCase,
}

/// Cached results of the queries on a tree.
pub(super) struct Asked {
    /// The query: the address of its function.
    pub(super) of: usize,
    pub(super) key: Key,
    pub(super) places: Mentions,
    pub(super) next: OnceCell<Box<Self>>,
}
