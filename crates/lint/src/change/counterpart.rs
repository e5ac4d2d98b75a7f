//! The counterparts of nodes, and moved code.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use review::{Line, LineKind};
use syntax::language::Role;
use syntax::tree::{Node, Tree};

use super::added::squeeze;
use super::context::ChangeContext;
use super::memo::LineMemo;
use super::pairing::NONE;
use super::token::weight;

/// The weight of a node's tokens. Counting stops just above `enough`.
fn weight_up_to(node: Node<'_>, enough: u32) -> u32 {
    let mut sum = 0;
    for leaf in node.leaves() {
        sum += weight(leaf);
        if sum > enough {
            break;
        }
    }
    sum
}

/// The node of the other tree that shares most of the tokens of `node`, if it shares enough.
fn counterpart<'t>(node: Node<'_>, pairs: &[u32], other: &'t Tree<'t>) -> Option<Node<'t>> {
    let leaves: Vec<_> = node.leaves().collect();
    let paired: Vec<Node<'t>> = leaves
        .iter()
        .filter_map(|leaf| pairs.get(leaf.index()).filter(|index| **index != NONE))
        .filter_map(|index| other.node(*index))
        .collect();
    let (first, last) = (paired.first()?, paired.last()?);
    let own: u32 = leaves.iter().map(|leaf| weight(*leaf)).sum();
    let same_kind = |candidate: &Node<'t>| candidate.kind_id() == node.kind_id();
    let around = |leaf: &Node<'t>| {
        std::iter::once(*leaf)
            .chain(leaf.ancestors())
            .filter(same_kind)
            .take(4)
            .collect::<Vec<_>>()
    };
    let mut candidates = around(first);
    candidates.extend(around(last));
    let rated = candidates.into_iter().map(|candidate| {
        let shared: u32 = paired
            .iter()
            .filter(|leaf| leaf.is_inside(candidate))
            .map(|leaf| weight(*leaf))
            .sum();
        let all: u32 = own + weight_up_to(candidate, 4 * own);
        (200 * shared / all.max(1), candidate)
    });
    rated
        .filter(|(percent, _)| *percent >= 50)
        .max_by_key(|(percent, node)| (*percent, Reverse(node.index())))
        .map(|(_, node)| node)
}

/// Whether an occurrence of a name refers to the variable, and not to an argument or a member with the same name.
fn is_use(name: Node<'_>) -> bool {
    let is_label = |around: Node<'_>| {
        around.is(&["keyword_argument", "pair", "keyed_element"])
            && around.any_field(&["name", "key"]) == Some(name)
    };
    !name.parent().is_some_and(is_label)
}

impl<'a> ChangeContext<'a> {
    /// All lines of the hunk.
    #[must_use]
    pub fn lines(&self) -> &'a [Line<'a>] {
        self.hunk.lines
    }

    /// The counterpart of a node of the old tree: the node of the same kind in the new tree that shares most of its tokens.
    /// `None` if less than half of it remains.
    #[must_use]
    pub fn counterpart(&self, old: Node<'_>) -> Option<Node<'a>> {
        counterpart(old, &self.change.forward, self.new)
    }

    /// The counterpart of a node of the new tree in the old one.
    #[must_use]
    pub fn origin(&self, new: Node<'_>) -> Option<Node<'a>> {
        counterpart(new, &self.change.backward, self.old)
    }

    /// The removed nodes with a role: they are only on removed lines, have no counterpart, and did not move within the
    /// file.
    pub fn removed(&self, role: Role) -> impl Iterator<Item = Node<'a>> {
        self.old.with_role(role).filter(|node| {
            node.is_all_changed() && self.counterpart(*node).is_none() && !self.has_moved(*node)
        })
    }

    /// The changed nodes with a role, before and after. Nested nodes are separate pairs.
    pub fn changed(&self, role: Role) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let touched = self
            .old
            .with_role(role)
            .filter(|node| node.touches_change());
        touched
            .filter_map(|old| self.counterpart(old).map(|new| (old, new)))
            .filter(|(old, new)| new.is_usable() && new.touches_change() && !self.same(*old, *new))
    }

    /// Whether an old and a new node have the same text apart from renamed names.
    #[must_use]
    pub fn same(&self, old: Node<'_>, new: Node<'_>) -> bool {
        let renames = &self.change.added.renames;
        let old = old
            .leaves()
            .filter(|leaf| !leaf.has_role(Role::Comment))
            .map(|leaf| renames.now(leaf.text()));
        let new = new
            .leaves()
            .filter(|leaf| !leaf.has_role(Role::Comment))
            .map(Node::text);
        old.eq(new)
    }

    /// Whether the text of an old node occurs among the added lines of the file, ignoring white space.
    #[must_use]
    pub fn reappears(&self, old: Node<'_>) -> bool {
        const SHORT: usize = 200;
        let text = squeeze(&self.change.added.renames.in_text(old.text()));
        if let Some(known) = self.change.memo.reappears.borrow().get(&text) {
            return *known;
        }
        let all = &self.change.added.text;
        // One step of a search reads many bytes.
        self.old.meter.draw((all.len() / 1024) as u64);
        let found =
            !text.is_empty() && memchr::memmem::find(all.as_bytes(), text.as_bytes()).is_some();
        if text.len() <= SHORT {
            self.change.memo.reappears.borrow_mut().insert(text, found);
        }
        found
    }

    /// Whether an old node only moved: all of it occurs again, or each of its lines does.
    #[must_use]
    pub fn has_moved(&self, old: Node<'_>) -> bool {
        let Some((first, last)) = old.hunk_lines() else {
            return false;
        };
        let is_removed = |index: &usize| {
            self.hunk
                .lines
                .get(*index)
                .is_some_and(|line| line.kind == LineKind::Removed)
        };
        let removed = (first..=last)
            .filter(is_removed)
            .filter_map(|index| self.line_memo(index));
        let mut removed = removed.filter(|line| line.has_content).peekable();
        let has_lines = removed.peek().is_some();
        (has_lines && removed.all(|line| line.is_added)) || self.reappears(old)
    }

    /// The cached facts about a line of the hunk.
    pub(super) fn line_memo(&self, index: usize) -> Option<LineMemo> {
        self.old.meter.draw(1);
        let line = self.hunk.lines.get(index)?;
        let added = self.change.added;
        let made = || LineMemo {
            has_content: line.text.chars().filter(|c| c.is_alphanumeric()).count() > 3,
            is_added: added
                .lines
                .contains(&squeeze(&added.renames.in_text(line.text))),
            times_removed: added.removed.get(&squeeze(line.text)).copied().unwrap_or(0),
        };
        Some(
            *self
                .change
                .memo
                .lines
                .borrow_mut()
                .entry(index)
                .or_insert_with(made),
        )
    }

    /// Pairs of a removed line and the added line that replaced it.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'a Line<'a>, &'a Line<'a>)> {
        let known = &self.change.memo.replaced_lines;
        let pairs = known.get_or_init(|| self.old.meter.apart(|| self.replaced_lines()));
        let lines = self.hunk.lines;
        pairs
            .iter()
            .filter_map(|(old, new)| Some((lines.get(*old)?, lines.get(*new)?)))
            .collect()
    }

    fn replaced_lines(&self) -> Vec<(usize, usize)> {
        let mut shared = BTreeMap::<(usize, usize), u32>::new();
        for (old, new) in (0_u32..).zip(&self.change.forward) {
            let place = |node: Option<Node<'a>>| {
                node.and_then(|node| node.hunk_lines().map(|(first, _)| (first, node)))
            };
            if let (Some((from, node)), Some((to, _))) =
                (place(self.old.node(old)), place(self.new.node(*new)))
            {
                *shared.entry((from, to)).or_default() += weight(node);
            }
        }
        let mut pairs: Vec<((usize, usize), u32)> = shared
            .into_iter()
            .filter(|(_, weight)| *weight > 6)
            .collect();
        pairs.sort_by_key(|(place, weight)| (Reverse(*weight), *place));
        let (mut from, mut to) = (HashSet::new(), HashSet::new());
        pairs.retain(|((a, b), _)| {
            !from.contains(a) && !to.contains(b) && from.insert(*a) && to.insert(*b)
        });
        pairs.sort();
        let is = |index: usize, kind: LineKind| {
            let line = self.hunk.lines.get(index);
            line.is_some_and(|line| line.kind == kind)
        };
        let pairs = pairs.into_iter().map(|(place, _)| place);
        pairs
            .filter(|(old, new)| is(*old, LineKind::Removed) && is(*new, LineKind::Added))
            .collect()
    }

    /// The first token of the new tree after the position of an old node, in the same function.
    fn after(&self, old: Node<'_>) -> Option<Node<'a>> {
        let function = old.enclosing(Role::Function);
        let end = old.descendants().last().unwrap_or(old).index();
        let next = self.old.node(*self.change.paired().get(end + 1)?)?;
        let same_function = next.enclosing(Role::Function).map(|node| node.index())
            == function.map(|node| node.index());
        let new = self
            .change
            .forward
            .get(next.index())
            .and_then(|new| self.new.node(*new))?;
        same_function.then_some(new)
    }

    /// Whether a name is assigned after the position of an old statement and before any read of it, unconditionally: in
    /// a statement of the same block.
    #[must_use]
    pub fn is_set_below(&self, name: &str, old: Node<'_>) -> bool {
        let Some((start, used)) = self.after(old).zip(self.used_below(&[name], old)) else {
            return false;
        };
        let sets = |node: &Node<'a>| {
            node.assignment().is_some_and(|set| {
                let reads = set.value.names().any(|inner| inner.text() == name);
                set.operator == "=" && set.target.last_name_node() == used && !reads
            })
        };
        let set = used.ancestors().take(4).find(sets);
        set.is_some_and(|set| set.statement().parent() == start.statement().parent())
    }

    /// The first use of one of `names` on the new side after the position of an old node, in the same function.
    #[must_use]
    pub fn used_below(&self, names: &[&str], old: Node<'_>) -> Option<Node<'a>> {
        let start = self.after(old)?;
        let end = start
            .enclosing(Role::Function)
            .and_then(|function| function.descendants().last());
        let tail = end.map_or(usize::MAX, |last| last.index() + 1);
        let used = |name: &&str| {
            self.new
                .mentions()
                .within(self.new, name, start.index()..tail)
                .find(|name| is_use(*name))
        };
        names
            .iter()
            .filter_map(used)
            .min_by_key(|name| name.index())
    }
}
