//! The new counterpart of an old `if`, and whether it still leaves.

use syntax::tree::Node;

use super::context::ChangeContext;

impl<'a> ChangeContext<'a> {
    /// The heading that git prints after the line numbers of the hunk, usually the header of the enclosing function.
    #[must_use]
    pub fn heading(&self) -> Option<&'a str> {
        Some(self.hunk.heading.trim()).filter(|heading| !heading.is_empty())
    }

    /// The `if` of the new tree with the same condition as an old one.
    #[must_use]
    pub fn same_question(&self, old: Node<'_>) -> Option<Node<'a>> {
        let condition = old.branch()?.condition;
        if self.similarity_to_new(condition) < 90 {
            return None;
        }
        let now = self.cover(condition)?;
        let has_condition = |node: &Node<'a>| {
            node.branch().is_some_and(|branch| {
                (now.is_inside(branch.condition) || branch.condition.is_inside(now))
                    && self.inserted(branch.condition).next().is_none()
            })
        };
        std::iter::once(now)
            .chain(now.ancestors().take(6))
            .find(has_condition)
            .filter(|node| node.is_usable())
    }

    /// Whether the statements of an old block are still in the file: in place, or among its added lines.
    #[must_use]
    pub fn reappears_or_stays(&self, block: Node<'a>) -> bool {
        let statements = block.statements();
        let stays = |node: &Node<'a>| self.similarity_to_new(*node) >= 80 || self.reappears(*node);
        !statements.is_empty() && statements.iter().all(stays)
    }

    /// Whether a new node contains a statement that leaves and that did not exist before.
    #[must_use]
    pub fn leaves_anew(&self, new: Node<'a>) -> bool {
        let is_fresh = |node: Node<'a>| {
            node.leaves()
                .next()
                .is_some_and(|word| self.old_of(word).is_none())
        };
        new.descendants()
            .filter(|node| node.touches_change() && node.is_plain_exit())
            .any(is_fresh)
    }
}
