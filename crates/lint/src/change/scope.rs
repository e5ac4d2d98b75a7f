//! The extent of the change in a function: a removal is judged by the function around it.
//!
//! In a function with many additions, the removed code was probably rewritten. Additions in other functions mean
//! little.

use std::ops::Range;

use syntax::language::Role;
use syntax::tree::Node;

use super::context::ChangeContext;

/// A file that adds no more lines than this has a local change.
const FEW_ADDED: usize = 8;
/// A file that removes more lines than this is being cleaned up or rewritten.
const FEW_REMOVED: usize = 40;
/// If a function gains no more new words than this, its removed code was not replaced.
const FEW_INSERTED: usize = 3;

impl ChangeContext<'_> {
    /// Whether the change of the file is small and the function around an old node adds almost nothing, so that the
    /// removed code was not replaced. In a rewrite, the removed code may have moved anywhere, including other files.
    #[must_use]
    pub fn mostly_takes_away(&self, old: Node<'_>) -> bool {
        self.is_small_change() && self.inserted_words_around(old) <= FEW_INSERTED
    }

    /// The same, without a single new word in the function.
    #[must_use]
    pub fn only_takes_away(&self, old: Node<'_>) -> bool {
        self.is_small_change() && self.inserted_words_around(old) == 0
    }

    /// Whether the change neither builds nor cleans up the file.
    #[must_use]
    pub fn is_small_change(&self) -> bool {
        let file = self.file_size();
        file.added <= FEW_ADDED && file.removed <= FEW_REMOVED
    }

    /// The number of new words in the function around an old node.
    fn inserted_words_around(&self, old: Node<'_>) -> usize {
        self.inserted_words_on(&self.function_lines(old))
    }

    /// The lines of the hunk that belong to the function around an old node, as far as they are visible. The whole hunk
    /// if there is no function.
    fn function_lines(&self, old: Node<'_>) -> Range<usize> {
        let own = old.enclosing(Role::Function).and_then(|function| {
            let is_own = |leaf: &Node<'_>| {
                leaf.is_leaf() && leaf.is_within_hunk() && !leaf.text().is_empty()
            };
            let (first, _) = function.descendants().find(is_own)?.hunk_lines()?;
            let (_, last) = function.descendants().rev().find(is_own)?.hunk_lines()?;
            Some(first..last + 1)
        });
        own.unwrap_or(0..self.hunk.lines.len())
    }
}
