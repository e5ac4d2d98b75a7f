//! Walks over a tree. Each node costs a step, and a walk ends when there are none left.

use super::fields::{FEW, Fields};
use super::node::{CHANGED, NONE, Node, Tree};
use crate::language::Role;

/// Nodes in document order, from either end.
#[derive(Clone)]
struct Walk<'t> {
    tree: &'t Tree<'t>,
    next: u32,
    end: u32,
}

impl<'t> Walk<'t> {
    fn new(tree: &'t Tree<'t>, next: u32, end: u32) -> Self {
        Self {
            tree,
            next,
            end: end.max(next),
        }
    }

    fn node(&self, index: u32) -> Option<Node<'t>> {
        self.tree.meter.draw(1).then_some(Node {
            tree: self.tree,
            index,
        })
    }
}

impl<'t> Iterator for Walk<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end {
            return None;
        }
        let node = self.node(self.next);
        self.next += 1;
        node
    }

    fn nth(&mut self, n: usize) -> Option<Node<'t>> {
        self.next = self
            .next
            .saturating_add(u32::try_from(n).unwrap_or(u32::MAX))
            .min(self.end);
        self.next()
    }

    fn last(mut self) -> Option<Node<'t>> {
        self.next_back()
    }

    fn count(self) -> usize {
        self.size_hint().0
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = (self.end - self.next) as usize;
        (left, Some(left))
    }
}

impl<'t> DoubleEndedIterator for Walk<'t> {
    fn next_back(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end {
            return None;
        }
        self.end -= 1;
        self.node(self.end)
    }
}

/// The children of a node.
#[derive(Clone)]
struct Children<'t> {
    tree: &'t Tree<'t>,
    next: u32,
    end: u32,
}

impl<'t> Children<'t> {
    fn new(tree: &'t Tree<'t>, next: u32, end: u32) -> Self {
        Self { tree, next, end }
    }
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end || !self.tree.meter.draw(1) {
            return None;
        }
        let node = Node {
            tree: self.tree,
            index: self.next,
        };
        self.next = node.entry().end.max(self.next + 1);
        Some(node)
    }
}

impl<'t> Tree<'t> {
    /// Every node in document order, including unusable ones (see [`Node::is_usable`]).
    pub fn nodes(&'t self) -> impl Iterator<Item = Node<'t>> {
        Walk::new(self, 0, u32::try_from(self.entries.len()).unwrap_or(NONE))
    }

    /// Every usable node with a role, in document order.
    pub fn with_role(&'t self, role: Role) -> impl Iterator<Item = Node<'t>> {
        self.nodes()
            .filter(move |node| node.has_role(role) && node.is_usable())
    }

    /// The nodes that touch a changed line, for the scan; subtrees without changed lines are skipped.
    pub fn changed_nodes(&'t self) -> impl Iterator<Item = Node<'t>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            loop {
                let entry = self.entries.get(next as usize)?;
                let node = Node {
                    tree: self,
                    index: next,
                };
                if entry.flags & CHANGED != 0 {
                    next += 1;
                    return Some(node);
                }
                next = entry.end.max(next + 1);
            }
        })
    }
}

impl<'t> Node<'t> {
    /// Its ancestors, innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |node| node.parent())
            .take_while(|node| node.tree.meter.draw(1))
    }

    /// The nearest ancestor with a role.
    #[must_use]
    pub fn enclosing(self, role: Role) -> Option<Self> {
        self.ancestors().find(|node| node.has_role(role))
    }

    /// The innermost function around it, which may be a lambda.
    pub fn enclosing_function(self) -> Option<Self> {
        self.ancestors()
            .find(|node| node.has_role(Role::Function) || node.has_role(Role::Lambda))
    }

    /// All children, including tokens.
    pub fn children(self) -> impl Iterator<Item = Self> {
        Children::new(self.tree, self.index + 1, self.entry().end)
    }

    /// The children without tokens and comments.
    pub fn named_children(self) -> impl Iterator<Item = Self> {
        self.children()
            .filter(|node| node.is_named() && !node.has_role(Role::Comment))
    }

    /// All descendants in document order.
    pub fn descendants(self) -> impl DoubleEndedIterator<Item = Self> {
        Walk::new(self.tree, self.index + 1, self.entry().end)
    }

    /// Itself and all descendants that have a role.
    pub fn all(self, role: Role) -> impl Iterator<Item = Self> {
        std::iter::once(self)
            .chain(self.descendants())
            .filter(move |node| node.has_role(role))
    }

    /// The tokens inside, in document order: nodes without children.
    pub fn leaves(self) -> impl Iterator<Item = Self> {
        std::iter::once(self)
            .chain(self.descendants())
            .filter(|node| node.is_leaf())
    }

    /// The child in a field of the grammar, for example `condition`.
    #[must_use]
    pub fn field(self, name: &str) -> Option<Self> {
        let grammar = self.tree.grammar();
        let mut children = self.children();
        let is_it = |child: &Self| {
            let field = child.entry().field;
            field != 0 && grammar.field_name(field) == name
        };
        if let Some(found) = children.by_ref().take(FEW).find(is_it) {
            return Some(found);
        }
        children.next()?;
        let wide = self.tree.fields.get_or_init(|| {
            Fields::of(
                self.tree
                    .entries
                    .iter()
                    .map(|entry| (entry.parent, entry.field)),
            )
        });
        wide.find(self.index, |field| grammar.field_name(field) == name)
            .and_then(|index| self.tree.at(index))
    }

    /// The first of several fields that exists.
    #[must_use]
    pub fn any_field(self, names: &[&str]) -> Option<Self> {
        names.iter().find_map(|name| self.field(name))
    }

    /// The first child of one of these kinds.
    #[must_use]
    pub fn child_of_kind(self, kinds: &[&str]) -> Option<Self> {
        self.children().find(|child| child.is(kinds))
    }

    /// The next sibling, skipping tokens and comments.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        self.following().next()
    }

    /// The previous sibling, skipping tokens and comments.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        self.preceding().next()
    }

    /// The previous siblings, nearest first, without tokens and comments.
    pub fn preceding(self) -> impl Iterator<Item = Self> {
        let before = move |node: &Self| node.previous_sibling(self.parent()?);
        let all =
            std::iter::successors(before(&self), before).take_while(|node| node.tree.meter.draw(1));
        all.filter(|node| node.is_named() && !node.has_role(Role::Comment))
    }

    /// The next siblings, nearest first, without tokens and comments.
    pub fn following(self) -> impl Iterator<Item = Self> {
        let end = self.parent().map_or(0, |parent| parent.entry().end);
        let siblings = Children::new(self.tree, self.entry().end.max(self.index + 1), end);
        siblings.filter(|node| node.is_named() && !node.has_role(Role::Comment))
    }

    /// The previous sibling of any kind.
    fn previous_sibling(self, parent: Self) -> Option<Self> {
        let last = self
            .tree
            .at(self.index.checked_sub(1)?)
            .filter(|last| *last != parent)?;
        std::iter::once(last)
            .chain(last.ancestors())
            .find(|node| node.entry().parent == parent.index)
    }

    /// Whether two nodes have the same text apart from white space and comments.
    #[must_use]
    pub fn says_same(self, other: Self) -> bool {
        let words = |node: Self| {
            node.leaves()
                .filter(|leaf| !leaf.has_role(Role::Comment))
                .map(Self::text)
        };
        // Some grammars have no node for the text between the quotes of a literal.
        let letters = |node: Self| node.text().chars().filter(|c| !c.is_whitespace());
        let is_plain = |node: Self| node.leaves().all(|leaf| !leaf.has_role(Role::Comment));
        words(self).eq(words(other))
            && (letters(self).eq(letters(other)) || !(is_plain(self) && is_plain(other)))
    }
}
