//! How much of a function changed: what an edit takes away is judged by the function that it stood in.
//!
//! In a function that gains much, what is gone was most likely written anew; what its neighbours gain says little.

use std::ops::Range;

use super::context::ChangeContext;
use crate::language::Role;
use crate::tree::Node;

/// A file that adds no more lines than this changes in a point or two.
const FEW_ADDED: usize = 8;
/// A file that loses more lines than this is cleaned up or rebuilt.
const FEW_REMOVED: usize = 40;
/// So many new words in a function are no replacement of what is gone from it.
const FEW_FRESH: usize = 3;

impl ChangeContext<'_> {
    /// Whether the change of the file is small and the function around an old node gains next to nothing, so that what is
    /// taken away was not replaced. In a rewrite what is gone may have moved anywhere, other files included.
    #[must_use]
    pub fn mostly_takes_away(&self, old: Node<'_>) -> bool {
        self.is_small_change() && self.fresh_around(old) <= FEW_FRESH
    }

    /// The same, and not one new word in the function.
    #[must_use]
    pub fn only_takes_away(&self, old: Node<'_>) -> bool {
        self.is_small_change() && self.fresh_around(old) == 0
    }

    /// Whether the file is neither built nor cleaned up.
    #[must_use]
    pub fn is_small_change(&self) -> bool {
        let file = self.file_size();
        file.added <= FEW_ADDED && file.removed <= FEW_REMOVED
    }

    /// How many words of the new side were not there before and stand in the function around an old node.
    fn fresh_around(&self, old: Node<'_>) -> usize {
        self.fresh_on(&self.function_lines(old))
    }

    /// The lines of the hunk that belong to the function around an old node, as far as they are in sight; the whole hunk
    /// where there is no function.
    fn function_lines(&self, old: Node<'_>) -> Range<usize> {
        let own = old.enclosing(Role::Function).and_then(|function| {
            let is_own = |leaf: &Node<'_>| leaf.is_leaf() && leaf.is_within_hunk() && !leaf.text().is_empty();
            let (first, _) = function.descendants().find(is_own)?.hunk_lines()?;
            let (_, last) = function.descendants().rev().find(is_own)?.hunk_lines()?;
            Some(first..last + 1)
        });
        own.unwrap_or(0..self.hunk.lines.len())
    }
}
