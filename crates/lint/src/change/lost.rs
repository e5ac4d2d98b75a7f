//! Queries about code that an edit removed, shared by several rules.
//!
//! Brackets and commas pair with anything, so only words count: names, literals and keywords.

use std::collections::HashSet;
use std::ops::Range;

use syntax::language::Role;
use syntax::tree::Node;

use super::context::ChangeContext;
use super::edit_block::EditBlock;
use super::pairing::{NONE, number};
use super::token::weight;

/// Whether a token is a word: a name, literal or keyword, and not punctuation.
fn is_word(leaf: &Node<'_>) -> bool {
    !leaf.has_role(Role::Comment) && leaf.text().chars().any(|c| c.is_alphanumeric() || c == '_')
}

/// The words of a node; if it has none, such as `[]`, its tokens.
fn words<'t>(node: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let has_words = node.leaves().any(|leaf| is_word(&leaf));
    node.leaves()
        .filter(move |leaf| is_word(leaf) || (!has_words && !leaf.text().is_empty()))
}

impl<'a> ChangeContext<'a> {
    /// The new counterpart of a token of the old tree.
    #[must_use]
    pub fn new_of(&self, old: Node<'_>) -> Option<Node<'a>> {
        self.change
            .forward
            .get(old.index())
            .filter(|index| **index != NONE)
            .and_then(|index| self.new.node(*index))
    }

    /// The old counterpart of a token of the new tree.
    #[must_use]
    pub fn old_of(&self, new: Node<'_>) -> Option<Node<'a>> {
        self.change
            .backward
            .get(new.index())
            .filter(|index| **index != NONE)
            .and_then(|index| self.old.node(*index))
    }

    /// The percentage of an old node's words that remain.
    #[must_use]
    pub fn similarity_to_new(&self, old: Node<'_>) -> u32 {
        share(words(old).map(|leaf| (weight(leaf), self.new_of(leaf).is_some())))
    }

    /// The percentage of a new node's words that existed before.
    #[must_use]
    pub fn similarity_to_old(&self, new: Node<'_>) -> u32 {
        share(words(new).map(|leaf| (weight(leaf), self.old_of(leaf).is_some())))
    }

    /// The words of a new node that did not exist before.
    pub fn inserted(&self, new: Node<'a>) -> impl Iterator<Item = Node<'a>> {
        words(new).filter(|leaf| is_word(leaf) && self.old_of(*leaf).is_none())
    }

    /// The tokens of the new tree that did not exist before.
    pub fn added_tokens(&self) -> impl Iterator<Item = Node<'a>> {
        let is_added = |leaf: &Node<'a>| {
            leaf.is_leaf() && leaf.touches_change() && self.old_of(*leaf).is_none()
        };
        self.new.nodes().filter(is_added)
    }

    /// The words of an old node that were removed.
    pub fn lost<'t>(&self, old: Node<'t>) -> impl Iterator<Item = Node<'t>> {
        words(old).filter(|leaf| self.new_of(*leaf).is_none())
    }

    /// The smallest node of the new tree that contains all remaining tokens of an old node.
    #[must_use]
    pub fn cover(&self, old: Node<'_>) -> Option<Node<'a>> {
        let mut images = words(old).filter_map(|leaf| self.new_of(leaf));
        let first = images.next()?;
        let (low, high) = images.fold((first, first), |(low, high), leaf| {
            (
                if leaf.index() < low.index() {
                    leaf
                } else {
                    low
                },
                if leaf.index() > high.index() {
                    leaf
                } else {
                    high
                },
            )
        });
        let smallest = std::iter::once(low)
            .chain(low.ancestors())
            .find(|node| high.is_inside(*node))?;
        // A surrounding node may have the same kind and add no word: the call around `f` in `f()`.
        let count = words(smallest).count();
        let as_large = smallest
            .ancestors()
            .take_while(|node| words(*node).nth(count).is_none());
        Some(
            as_large
                .into_iter()
                .find(|node| node.kind_id() == old.kind_id() && smallest.kind_id() != old.kind_id())
                .unwrap_or(smallest),
        )
    }

    /// The edit block that a node starts in.
    #[must_use]
    pub fn edit_block_of(&self, node: Node<'_>) -> Option<EditBlock> {
        let (from, to) = node.hunk_lines()?;
        self.change.runs.find(from, to).map(|(_, run)| *run)
    }

    /// The numbers of removed and added lines with content in the file.
    #[must_use]
    pub fn file_size(&self) -> EditBlock {
        self.change.added.size
    }

    /// Whether the removed words of an old node do not occur, contiguously, elsewhere among the added lines.
    #[must_use]
    pub fn is_gone(&self, old: Node<'_>) -> bool {
        self.similarity_to_new(old) <= 34 && !self.reappears(old) && !self.has_moved(old)
    }

    /// The statements that were removed and not replaced: they are only on removed lines, little of them remains,
    /// nothing was added in their place, and the enclosing function remains and adds almost nothing.
    #[must_use]
    pub fn removed_statements(&self) -> Vec<Node<'a>> {
        let known = &self.change.memo.removed_statements;
        if let Some(known) = known.get() {
            return known
                .iter()
                .filter_map(|index| self.old.node(*index))
                .collect();
        }
        let found = self.find_removed_statements();
        // A result that was cut short is computed again on the next call.
        if self.old.meter.draw(0) {
            known.get_or_init(|| found.iter().map(|node| number(*node)).collect());
        }
        found
    }

    fn find_removed_statements(&self) -> Vec<Node<'a>> {
        let mut found: Vec<Node<'a>> = Vec::new();
        if !self.is_small_change() {
            return found;
        }
        for node in self
            .old
            .nodes()
            .filter(|node| node.touches_change() && node.is_statement() && node.is_usable())
        {
            let nested = found.last().is_some_and(|last| node.is_inside(*last));
            if !nested
                && node.is_all_changed()
                && self.is_gone(node)
                && !self.is_in_removed_function(node)
            {
                found.push(node);
            }
        }
        found.retain(|old| self.is_plain_removal(*old) && !self.names_removed_identifier(*old));
        found
    }

    /// Whether the whole function around an old node was removed. Then the removal of its parts has no meaning of its
    /// own.
    #[must_use]
    pub fn is_in_removed_function(&self, old: Node<'_>) -> bool {
        let definition = |role| old.enclosing(role).filter(|node| node.is_within_hunk());
        let function = [Role::Function, Role::Class]
            .into_iter()
            .filter_map(definition);
        function.into_iter().any(|node| {
            let head: Vec<Node<'_>> = words(node).take(4).collect();
            head.iter().all(|leaf| self.new_of(*leaf).is_none())
        })
    }

    /// The names that are read in the new tree.
    #[must_use]
    pub fn new_names(&self) -> HashSet<&'a str> {
        self.new
            .nodes()
            .filter(|node| node.has_role(Role::Name))
            .map(Node::text)
            .collect()
    }
}

fn share(tokens: impl Iterator<Item = (u32, bool)>) -> u32 {
    let (all, left) = tokens.fold((0, 0), |(all, left), (weight, kept)| {
        (all + weight, left + if kept { weight } else { 0 })
    });
    (100 * left).checked_div(all).unwrap_or(100)
}

impl<'a> ChangeContext<'a> {
    /// The new words in the edit block that a node starts in.
    #[must_use]
    pub fn inserted_in_block(&self, node: Node<'_>) -> usize {
        let found = node
            .hunk_lines()
            .and_then(|(from, to)| self.change.runs.find(from, to));
        let Some((run, _)) = found else { return 0 };
        self.inserted_words_on(run)
    }

    /// The number of new words that start on a range of lines of the hunk.
    pub(super) fn inserted_words_on(&self, lines: &Range<usize>) -> usize {
        let fresh = self
            .change
            .memo
            .inserted
            .get_or_init(|| self.new.meter.apart(|| self.inserted_lines()));
        let at = |line: usize| fresh.partition_point(|own| *own < line);
        at(lines.end).saturating_sub(at(lines.start))
    }

    fn inserted_lines(&self) -> Vec<usize> {
        let words = self.added_tokens().filter(is_word);
        words
            .filter_map(|leaf| leaf.hunk_lines().map(|(line, _)| line))
            .collect()
    }

    /// How often the node's first line was removed in the file. Three times suggest a clean-up, not an accident.
    #[must_use]
    pub fn times_removed(&self, old: Node<'_>) -> usize {
        let line = old
            .hunk_lines()
            .and_then(|(first, _)| self.line_memo(first));
        line.map_or(0, |line| line.times_removed)
    }

    /// Whether an old node was removed without replacement and without much added around it, and its line was not removed
    /// repeatedly in the file.
    fn is_plain_removal(&self, old: Node<'_>) -> bool {
        self.edit_block_of(old).is_some_and(|run| run.added == 0)
            && self.times_removed(old) <= 2
            && self.mostly_takes_away(old)
    }

    /// Statements that were changed and not replaced: the old statement and its counterpart.
    #[must_use]
    pub fn paired_statements(&self) -> Vec<(Node<'a>, Node<'a>)> {
        let touched = self
            .old
            .nodes()
            .filter(|node| node.touches_change() && node.is_statement() && node.is_usable());
        let simple = touched.filter(|node| {
            ![
                Role::If,
                Role::Loop,
                Role::Function,
                Role::Class,
                Role::Switch,
                Role::Try,
            ]
            .iter()
            .any(|role| node.has_role(*role))
        });
        simple
            .filter_map(|old| {
                let new = self.cover(old).map(|now| {
                    if now.is_statement() {
                        now
                    } else {
                        now.statement()
                    }
                })?;
                (new.is_usable()
                    && new.touches_change()
                    && !self.same(old, new)
                    && self.similarity_to_new(old) >= 50)
                    .then_some((old, new))
            })
            .collect()
    }

    /// Whether the `try` of an old node still exists.
    #[must_use]
    pub fn still_tries(&self, old: Node<'_>) -> bool {
        let keyword = old.leaves().next();
        keyword.is_some_and(|leaf| self.new_of(leaf).is_some())
    }
}
