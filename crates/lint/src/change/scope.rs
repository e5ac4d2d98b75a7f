//! How much of a function changed: what an edit takes away is judged by the function that it stood in.
//!
//! In a function that gains much, what is gone was most likely written anew; what its neighbours gain says little.

use std::ops::Range;

use crate::grammar::Role;
use crate::node::Node;
use crate::rule::ChangeContext;

/// A file that adds no more lines than this changes in a point or two.
const FEW_ADDED: usize = 8;
/// A file that loses more lines than this is cleaned up or rebuilt.
const FEW_REMOVED: usize = 40;
/// So many new words in a function are no replacement of what is gone from it.
const FEW_FRESH: usize = 3;

impl<'a> ChangeContext<'a> {
    /// Whether the change of the file is small and the function around an old node gains next to nothing, so that what is
    /// taken away was not replaced. In a rewrite what is gone may have moved anywhere, other files included.
    #[must_use]
    pub fn mostly_takes_away(&self, old: Node<'_>) -> bool {
        self.is_small_change() && self.fresh_around(old).nth(FEW_FRESH).is_none()
    }

    /// The same, and not one new word in the function.
    #[must_use]
    pub fn only_takes_away(&self, old: Node<'_>) -> bool {
        self.is_small_change() && self.fresh_around(old).next().is_none()
    }

    /// Whether the file is neither built nor cleaned up.
    #[must_use]
    pub fn is_small_change(&self) -> bool {
        let file = self.file_size();
        file.added <= FEW_ADDED && file.removed <= FEW_REMOVED
    }

    /// The words of the new side that were not there before and stand in the function around an old node.
    fn fresh_around(&self, old: Node<'_>) -> impl Iterator<Item = Node<'a>> {
        let own = self.function_lines(old);
        self.fresh_words().filter(move |leaf| leaf.hunk_lines().is_some_and(|(line, _)| own.contains(&line)))
    }

    /// The lines of the hunk that belong to the function around an old node, as far as they are in sight; the whole hunk
    /// where there is no function.
    fn function_lines(&self, old: Node<'_>) -> Range<usize> {
        let own = old.enclosing(Role::Function).and_then(|function| {
            let mut leaves = function.leaves().filter(|leaf| leaf.is_within_hunk() && !leaf.text().is_empty());
            let (first, _) = leaves.next()?.hunk_lines()?;
            let (_, last) = leaves.last()?.hunk_lines()?;
            Some(first..last + 1)
        });
        own.unwrap_or(0..self.hunk.lines.len())
    }
}
