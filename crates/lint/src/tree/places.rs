//! Places by name, as they are kept.

use std::cell::OnceCell;
use std::collections::HashMap;

/// The places of each name of a tree.
#[derive(Debug, Default)]
pub(crate) struct Mentions(pub(super) HashMap<Box<str>, Vec<u32>>);

/// How a name is looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    AsWritten,
    LowerCase,
}

/// What was asked of a tree, each question answered once.
pub(super) struct Asked {
    /// The question: the address of its function.
    pub(super) of: usize,
    pub(super) key: Key,
    pub(super) places: Mentions,
    pub(super) next: OnceCell<Box<Self>>,
}
