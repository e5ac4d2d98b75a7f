//! Syntax nodes as rules see them.
//!
//! The tree is copied once into a flat list in document order. So walking it needs no recursion, `parent` costs one
//! step, and the nodes that no rule may look at (errors, what was put around the text, what is too deep) are marked.

use std::fmt;

use review::Side;

use crate::fragment::{Fragment, SideLine, kind_of, last_row};
use crate::grammar::{Grammar, Role};
use crate::limits::Limits;
use crate::syntax::Calls;

const NONE: u32 = u32::MAX;

const ERROR_ABOVE: u8 = 1;
const ERROR_INSIDE: u8 = 2;
const SYNTHETIC: u8 = 4;
const TOO_DEEP: u8 = 8;
const CHANGED: u8 = 16;
const INCOMPLETE: u8 = 32;
const NAMED: u8 = 64;

/// One side of a hunk as a syntax tree.
pub struct Tree<'t> {
    fragment: &'t Fragment,
    source: &'t str,
    entries: Vec<Entry<'t>>,
    /// Number of changed lines before each line.
    changed: Vec<u32>,
    /// Something was too deep or too much to look at.
    pub(crate) partial: bool,
    /// Something was too deep, so nothing that recurses may run on this tree.
    pub(crate) too_deep: bool,
    /// The calls that rules asked for last.
    pub(crate) calls: Calls,
}

struct Entry<'t> {
    raw: tree_sitter::Node<'t>,
    /// As a bit set, see [`Grammar::roles_of`].
    roles: u64,
    parent: u32,
    /// Index behind the last node inside.
    end: u32,
    field: u16,
    kind: u16,
    start: u32,
    finish: u32,
    flags: u8,
}

/// A syntax node. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    tree: &'t Tree<'t>,
    index: u32,
}

impl<'t> Tree<'t> {
    pub(crate) fn new(fragment: &'t Fragment, limits: &Limits) -> Self {
        let mut changed = vec![0];
        let mut sum = 0;
        for line in &fragment.lines {
            sum += u32::from(line.changed);
            changed.push(sum);
        }
        let mut tree = Self {
            fragment,
            source: fragment.source(),
            entries: Vec::new(),
            changed,
            partial: false,
            too_deep: false,
            calls: Calls::default(),
        };
        tree.fill(limits);
        tree
    }

    /// Copies the tree with a cursor.
    fn fill(&mut self, limits: &Limits) {
        let mut cursor = self.fragment.top().walk();
        let mut path: Vec<u32> = Vec::new();
        loop {
            let index = u32::try_from(self.entries.len()).unwrap_or(NONE);
            if self.entries.len() >= limits.nodes || index == NONE {
                self.partial = true;
                break;
            }
            let parent = path.last().copied().unwrap_or(NONE);
            let entry = self.entry(cursor.node(), parent, cursor.field_id().map_or(0, std::num::NonZero::get));
            self.entries.push(entry);
            if path.len() < limits.depth {
                if cursor.goto_first_child() {
                    path.push(index);
                    continue;
                }
            } else if cursor.node().child_count() > 0 {
                self.mark(&path, TOO_DEEP);
                self.mark(&[index], TOO_DEEP);
                self.too_deep = true;
            }
            self.close(index);
            while !cursor.goto_next_sibling() {
                let Some(done) = path.pop() else { break };
                self.close(done);
                cursor.goto_parent();
            }
            if path.is_empty() {
                break;
            }
        }
        self.partial |= self.too_deep;
        self.mark(&path, INCOMPLETE);
        for open in path {
            self.close(open);
        }
    }

    fn mark(&mut self, path: &[u32], flag: u8) {
        for index in path {
            if let Some(entry) = self.entries.get_mut(*index as usize) {
                entry.flags |= flag;
            }
        }
    }

    fn close(&mut self, index: u32) {
        let end = u32::try_from(self.entries.len()).unwrap_or(NONE);
        if let Some(entry) = self.entries.get_mut(index as usize) {
            entry.end = end;
        }
    }

    fn entry(&self, raw: tree_sitter::Node<'t>, parent: u32, field: u16) -> Entry<'t> {
        let above = self.entries.get(parent as usize).map_or(0, |entry| entry.flags & ERROR_ABOVE);
        let mut flags = above;
        // A missing token counts as an error, too.
        if raw.has_error() {
            flags |= ERROR_INSIDE;
            if raw.is_error() && !(parent == NONE && is_mostly_read(raw)) {
                flags |= ERROR_ABOVE;
            }
        }
        let fragment = self.fragment;
        if raw.start_byte() < fragment.prefix || raw.end_byte() > fragment.end {
            flags |= SYNTHETIC;
        }
        if self.touches_change(raw.start_position().row, last_row(&raw)) {
            flags |= CHANGED;
        }
        if raw.is_named() {
            flags |= NAMED;
        }
        // A text of more than 4 GiB is never parsed.
        let byte = |at: usize| u32::try_from(at).unwrap_or(NONE);
        let (start, finish) = (byte(raw.start_byte()), byte(raw.end_byte()));
        let kind = kind_of(&raw);
        let roles = fragment.grammar.roles_of(kind);
        Entry { raw, roles, parent, end: 0, field, kind, start, finish, flags }
    }

    fn touches_change(&self, first: usize, last: usize) -> bool {
        let rows = self.fragment.prefix_rows;
        let at = |row: usize| {
            let index = row.saturating_sub(rows).min(self.changed.len() - 1);
            self.changed.get(index).copied().unwrap_or(0)
        };
        last >= rows && at(last + 1) > at(first)
    }

    /// The side of the diff.
    #[must_use]
    pub fn side(&self) -> Side {
        self.fragment.side
    }

    /// The language.
    #[must_use]
    pub fn grammar(&self) -> Grammar {
        self.fragment.grammar
    }

    /// The node of an index that [`Node::index`] gave.
    pub(crate) fn node(&'t self, index: u32) -> Option<Node<'t>> {
        self.at(index)
    }

    fn at(&'t self, index: u32) -> Option<Node<'t>> {
        ((index as usize) < self.entries.len()).then_some(Node { tree: self, index })
    }

    /// The whole text. It is often partly synthetic; its children are what rules look at.
    #[must_use]
    pub fn root(&'t self) -> Option<Node<'t>> {
        self.at(0)
    }

    /// Every node in document order, the unusable ones (see [`Node::is_usable`]) included.
    pub fn nodes(&'t self) -> impl Iterator<Item = Node<'t>> {
        (0..u32::try_from(self.entries.len()).unwrap_or(NONE)).map(|index| Node { tree: self, index })
    }

    /// Every usable node with a role, in document order.
    pub fn with_role(&'t self, role: Role) -> impl Iterator<Item = Node<'t>> {
        self.nodes().filter(move |node| node.has_role(role) && node.is_usable())
    }

    /// The nodes that touch a changed line, for the scan: subtrees that touch none are jumped over.
    pub(crate) fn changed_nodes(&'t self) -> impl Iterator<Item = Node<'t>> {
        let mut next = 0;
        std::iter::from_fn(move || {
            loop {
                let entry = self.entries.get(next as usize)?;
                let node = Node { tree: self, index: next };
                if entry.flags & CHANGED != 0 {
                    next += 1;
                    return Some(node);
                }
                next = entry.end.max(next + 1);
            }
        })
    }
}

/// Whether a text that the parser could not put together as a whole consists of parts that it did read: whole statements
/// and definitions, with less than a third of loose tokens between them.
fn is_mostly_read(root: tree_sitter::Node<'_>) -> bool {
    let mut cursor = root.walk();
    let loose: usize = root
        .children(&mut cursor)
        .filter(|child| child.child_count() == 0 || child.is_error())
        .map(|child| child.end_byte() - child.start_byte())
        .sum();
    loose * 3 <= root.end_byte() - root.start_byte()
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry<'t> {
        #[expect(clippy::indexing_slicing, reason = "nodes are made with an index into this very list")]
        &self.tree.entries[self.index as usize]
    }

    /// The tree that it belongs to.
    #[must_use]
    pub fn tree(self) -> &'t Tree<'t> {
        self.tree
    }

    pub(crate) fn raw(self) -> tree_sitter::Node<'t> {
        self.entry().raw
    }

    /// Its place in document order.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }

    pub(crate) fn kind_id(self) -> u16 {
        self.entry().kind
    }

    /// The grammar's name for what it is, for example `call_expression`, or the token itself, for example `+`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        self.tree.grammar().kind_name(self.kind_id())
    }

    /// Whether [`Node::kind`] is one of `kinds`.
    #[must_use]
    pub fn is(self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind())
    }

    /// Whether it plays a role in its language.
    #[must_use]
    pub fn has_role(self, role: Role) -> bool {
        self.entry().roles & role.bit() != 0
    }

    /// Whether it is more than a token such as `(` or `if`.
    #[must_use]
    pub fn is_named(self) -> bool {
        self.entry().flags & NAMED != 0
    }

    /// Whether it can be believed: inside the text of the hunk, and with no error in it, above it or too deep in it.
    #[must_use]
    pub fn is_usable(self) -> bool {
        self.entry().flags & (ERROR_ABOVE | ERROR_INSIDE | SYNTHETIC | TOO_DEEP | INCOMPLETE) == 0
    }

    /// Whether it starts and ends inside the text of the hunk; if not, it encloses the hunk or was made up.
    #[must_use]
    pub fn is_within_hunk(self) -> bool {
        self.entry().flags & SYNTHETIC == 0
    }

    /// Whether one of its lines was added (on the new side) or removed (on the old side).
    #[must_use]
    pub fn touches_change(self) -> bool {
        self.entry().flags & CHANGED != 0
    }

    /// Whether all of its lines were added (on the new side) or removed (on the old side).
    #[must_use]
    pub fn is_all_changed(self) -> bool {
        let rows = self.raw().start_position().row..=last_row(&self.raw());
        rows.into_iter().all(|row| self.tree.fragment.line_of_row(row).is_some_and(|(_, line)| line.changed))
    }

    /// Where it starts in the parsed text.
    #[must_use]
    pub fn start(self) -> usize {
        self.entry().start as usize
    }

    /// Where it ends in the parsed text.
    #[must_use]
    pub fn end(self) -> usize {
        self.entry().finish as usize
    }

    /// Its source text.
    #[must_use]
    pub fn text(self) -> &'t str {
        self.tree.source.get(self.start()..self.end()).unwrap_or_default()
    }

    /// The number of the line that it starts on; `None` where that was made up.
    #[must_use]
    pub fn line(self) -> Option<u32> {
        self.side_line().map(|line| line.number)
    }

    /// The number of the line that it ends on; `None` where that was made up.
    #[must_use]
    pub fn last_line(self) -> Option<u32> {
        self.tree.fragment.line_of_row(last_row(&self.raw())).map(|(_, line)| line.number)
    }

    fn side_line(self) -> Option<SideLine> {
        self.tree.fragment.line_of_row(self.raw().start_position().row).map(|(_, line)| line)
    }

    /// Indices in the hunk of the lines that it starts and ends on.
    pub(crate) fn hunk_lines(self) -> Option<(usize, usize)> {
        let (_, first) = self.tree.fragment.line_of_row(self.raw().start_position().row)?;
        let (_, last) = self.tree.fragment.line_of_row(last_row(&self.raw()))?;
        Some((first.index, last.index))
    }

    /// The line to report: the one that it starts on if that was changed, else its first changed one, else the first.
    pub(crate) fn report_line(self) -> Option<SideLine> {
        let first = self.raw().start_position().row;
        let mut lines = (first..=last_row(&self.raw())).filter_map(|row| self.tree.fragment.line_of_row(row));
        lines.find(|(_, line)| line.changed).map(|(_, line)| line).or_else(|| self.side_line())
    }

    /// The node around it.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.tree.at(self.entry().parent)
    }

    /// The nodes around it, the innermost first.
    pub fn ancestors(self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), |node| node.parent())
    }

    /// The nearest node around it with a role.
    #[must_use]
    pub fn enclosing(self, role: Role) -> Option<Self> {
        self.ancestors().find(|node| node.has_role(role))
    }

    /// All nodes directly inside, tokens too.
    pub fn children(self) -> impl Iterator<Item = Self> {
        let end = self.entry().end;
        let first = (self.index + 1 < end).then_some(Self { tree: self.tree, index: self.index + 1 });
        std::iter::successors(first, move |node| {
            let next = node.entry().end;
            (next < end && next > node.index).then_some(Self { tree: node.tree, index: next })
        })
    }

    /// The nodes directly inside, without tokens and comments.
    pub fn named_children(self) -> impl Iterator<Item = Self> {
        self.children().filter(|node| node.is_named() && !node.has_role(Role::Comment))
    }

    /// All nodes inside, in document order, without itself.
    pub fn descendants(self) -> impl DoubleEndedIterator<Item = Self> {
        let tree = self.tree;
        (self.index + 1..self.entry().end).map(move |index| Self { tree, index })
    }

    /// Itself and all nodes inside that have a role.
    pub fn all(self, role: Role) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.descendants()).filter(move |node| node.has_role(role))
    }

    /// The tokens inside, in document order: nodes without children.
    pub fn leaves(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.descendants()).filter(|node| node.is_leaf())
    }

    /// Whether nothing is inside it.
    #[must_use]
    pub fn is_leaf(self) -> bool {
        self.entry().end <= self.index + 1
    }

    /// The child in a field of the grammar, for example `condition`.
    #[must_use]
    pub fn field(self, name: &str) -> Option<Self> {
        let grammar = self.tree.grammar();
        self.children().find(|child| {
            let field = child.entry().field;
            field != 0 && grammar.field_name(field) == name
        })
    }

    /// The first of several fields that is there.
    #[must_use]
    pub fn any_field(self, names: &[&str]) -> Option<Self> {
        names.iter().find_map(|name| self.field(name))
    }

    /// The first child of one of these kinds.
    #[must_use]
    pub fn child_of_kind(self, kinds: &[&str]) -> Option<Self> {
        self.children().find(|child| child.is(kinds))
    }

    /// The next node beside it, without tokens and comments.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        self.parent()?.named_children().find(|node| node.index > self.index)
    }

    /// The node beside it before it, without tokens and comments.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        self.parent()?.named_children().take_while(|node| node.index < self.index).last()
    }

    /// Whether it is inside `other` or is it.
    #[must_use]
    pub fn is_inside(self, other: Self) -> bool {
        std::ptr::eq(self.tree, other.tree)
            && (other.index..other.entry().end.max(other.index + 1)).contains(&self.index)
    }

    /// Whether two nodes say the same, whatever the white space and the comments.
    #[must_use]
    pub fn says_same(self, other: Self) -> bool {
        let words = |node: Self| node.leaves().filter(|leaf| !leaf.has_role(Role::Comment)).map(Self::text);
        words(self).eq(words(other))
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(std::ptr::from_ref(self.tree).cast::<u8>(), std::ptr::from_ref(other.tree).cast::<u8>())
            && self.index == other.index
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind(), self.text())
    }
}

impl<'t> Tree<'t> {
    /// A piece of the parsed text.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.source.get(start..end).unwrap_or_default()
    }
}
