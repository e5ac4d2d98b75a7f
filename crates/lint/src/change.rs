//! How the two sides of a hunk belong together.
//!
//! Tokens are paired, not lines: unchanged lines give pairs at once, and within a run of removed and added lines the
//! pairs are the heaviest common subsequence (names and literals weigh more than brackets). A node's counterpart is
//! then the node of its kind that shares most of its tokens. So a rule can ask what became of a condition, and code
//! that only moved within the file is known as moved; what moved to another file is told by the facts of that file. A name
//! that was renamed all over the file pairs with its new name.

mod calls;
mod conditions;
mod lost;
mod renames;
mod replaced;
mod scope;
mod slide;
mod withdrawn;

use std::collections::{HashMap, HashSet};

use review::{ChunkFile, Line, LineKind};

use crate::grammar::Role;
use crate::node::{Node, Tree};
use crate::rule::{ChangeContext, Hunk};
use slide::{Links, slide};
use withdrawn::Withdrawn;

pub(crate) use conditions::LostClause;
pub(crate) use lost::Run;
use renames::Renames;

const NONE: u32 = u32::MAX;

/// A run of more tokens than this on both sides (multiplied) is a rewrite: nothing is paired in it.
const LARGEST_RUN: usize = 600_000;

/// What a whole file adds, for finding code that moved between its hunks.
pub(crate) struct Added {
    /// All added lines without white space, one behind the other.
    text: String,
    lines: HashSet<String>,
    size: Run,
    /// How often each line was removed, without white space.
    removed: HashMap<String, usize>,
    renames: Renames,
    withdrawn: Withdrawn,
}

impl Added {
    pub(crate) fn new(file: &ChunkFile<'_>) -> Self {
        let added = file.hunks.iter().flat_map(|hunk| hunk.lines.iter()).filter(|line| line.kind == LineKind::Added);
        let lines: Vec<String> = added.map(|line| squeeze(line.text)).collect();
        let all = || file.hunks.iter().flat_map(|hunk| hunk.lines.iter());
        let count =
            |kind| all().filter(|line| line.kind == kind && line.text.chars().any(char::is_alphanumeric)).count();
        let size = Run { removed: count(LineKind::Removed), added: count(LineKind::Added) };
        let mut removed = HashMap::new();
        for line in all().filter(|line| line.kind == LineKind::Removed) {
            *removed.entry(squeeze(line.text)).or_default() += 1;
        }
        let renames = if removed.is_empty() { Renames::default() } else { Renames::of(file) };
        let withdrawn = if removed.is_empty() { Withdrawn::default() } else { Withdrawn::of(file) };
        Self { text: lines.concat(), lines: lines.into_iter().collect(), size, removed, renames, withdrawn }
    }
}

/// Text without white space.
pub(crate) fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The pairing of the tokens of a hunk.
pub(crate) struct Change<'a> {
    /// By node index of the old tree: the paired token's index in the new tree.
    forward: Vec<u32>,
    backward: Vec<u32>,
    added: &'a Added,
}

#[derive(Clone, Copy)]
struct Token<'t> {
    node: Node<'t>,
    text: &'t str,
    weight: u32,
}

fn weight(node: Node<'_>) -> u32 {
    match (node.is_named(), node.text().starts_with(char::is_alphabetic)) {
        (true, _) => 6,
        (false, true) => 2,
        (false, false) => 1,
    }
}

/// The tokens of a tree by the hunk's line that they start on; of the old tree, with the names that they have now.
fn tokens_by_line<'t>(tree: &'t Tree<'t>, lines: usize, renames: Option<&'t Renames>) -> Vec<Vec<Token<'t>>> {
    let mut by_line = vec![Vec::new(); lines];
    for node in tree.nodes().filter(|node| node.is_leaf() && node.is_within_hunk() && !node.text().is_empty()) {
        let line = node.hunk_lines().and_then(|(first, _)| by_line.get_mut(first));
        if let Some(tokens) = line {
            let text = renames.map_or(node.text(), |renames| renames.now(node.text()));
            tokens.push(Token { node, text, weight: weight(node) });
        }
    }
    by_line
}

impl<'a> Change<'a> {
    pub(crate) fn new(hunk: Hunk<'_>, old: &'a Tree<'a>, new: &'a Tree<'a>, added: &'a Added) -> Self {
        let mut change =
            Self { forward: vec![NONE; old.nodes().count()], backward: vec![NONE; new.nodes().count()], added };
        let lines = hunk.lines;
        let old_tokens = tokens_by_line(old, lines.len(), Some(&added.renames));
        let new_tokens = tokens_by_line(new, lines.len(), None);
        let is_context = |index: usize| lines.get(index).is_some_and(|line| line.kind == LineKind::Context);
        let mut start = 0;
        while start < lines.len() {
            let context = is_context(start);
            let mut end = start + 1;
            // An unchanged line is a run of its own.
            while !context && end < lines.len() && !is_context(end) {
                end += 1;
            }
            let part = |all: &[Vec<Token<'a>>]| all.get(start..end).unwrap_or_default().concat();
            change.pair(&part(&old_tokens), &part(&new_tokens));
            start = end;
        }
        change
    }

    fn link(&mut self, old: Node<'_>, new: Node<'_>) {
        let number = |node: Node<'_>| u32::try_from(node.index()).unwrap_or(NONE);
        if let Some(slot) = self.forward.get_mut(old.index()) {
            *slot = number(new);
        }
        if let Some(slot) = self.backward.get_mut(new.index()) {
            *slot = number(old);
        }
    }

    /// Pairs two runs of tokens: equal ends first, the heaviest common subsequence between them, and then what is left
    /// over on one side is moved to where the syntax has a seam.
    fn pair(&mut self, old: &[Token<'a>], new: &[Token<'a>]) {
        let mut forward: Links = vec![None; old.len()];
        let head = old.iter().zip(new).take_while(|(a, b)| a.text == b.text).count();
        let rest = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(rest).take_while(|(a, b)| a.text == b.text).count();
        for (index, slot) in forward.iter_mut().enumerate() {
            if index < head {
                *slot = Some(index);
            } else if index >= old.len() - tail {
                *slot = Some(index + new.len() - old.len());
            }
        }
        let middle = |all: &'_ [Token<'a>]| all.get(head..all.len() - tail).unwrap_or_default().to_vec();
        for (from, to) in pair_middle(&middle(old), &middle(new)) {
            if let Some(slot) = forward.get_mut(head + from) {
                *slot = Some(head + to);
            }
        }
        slide(old, &mut forward);
        let mut backward: Links = vec![None; new.len()];
        for (from, to) in forward.iter().enumerate().filter_map(|(from, to)| Some((from, (*to)?))) {
            if let Some(slot) = backward.get_mut(to) {
                *slot = Some(from);
            }
        }
        slide(new, &mut backward);
        for (to, from) in backward.iter().enumerate() {
            if let (Some(a), Some(b)) = (from.and_then(|from| old.get(from)), new.get(to)) {
                self.link(a.node, b.node);
            }
        }
    }
}

/// The heaviest common subsequence of two runs of tokens, as pairs of indices.
#[expect(clippy::indexing_slicing, reason = "a table of (n + 1) × (m + 1) cells, i ≤ n and j ≤ m")]
fn pair_middle(old: &[Token<'_>], new: &[Token<'_>]) -> Vec<(usize, usize)> {
    let (n, m) = (old.len(), new.len());
    if n == 0 || m == 0 || n * m > LARGEST_RUN {
        return Vec::new();
    }
    let width = m + 1;
    let mut best = vec![0_u32; (n + 1) * width];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let skip = best[(i + 1) * width + j].max(best[i * width + j + 1]);
            let both = best[(i + 1) * width + j + 1] + old[i].weight;
            best[i * width + j] = if old[i].text == new[j].text { skip.max(both) } else { skip };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while i < n && j < m {
        let here = best[i * width + j];
        if old[i].text == new[j].text && here == best[(i + 1) * width + j + 1] + old[i].weight {
            pairs.push((i, j));
            i += 1;
            j += 1;
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
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
    let around =
        |leaf: &Node<'t>| std::iter::once(*leaf).chain(leaf.ancestors()).filter(same_kind).take(4).collect::<Vec<_>>();
    let mut candidates = around(first);
    candidates.extend(around(last));
    let rated = candidates.into_iter().map(|candidate| {
        let shared: u32 = paired.iter().filter(|leaf| leaf.is_inside(candidate)).map(|leaf| weight(*leaf)).sum();
        let all: u32 = own + candidate.leaves().map(weight).sum::<u32>();
        (200 * shared / all.max(1), candidate)
    });
    rated
        .filter(|(percent, _)| *percent >= 50)
        .max_by_key(|(percent, node)| (*percent, std::cmp::Reverse(node.index())))
        .map(|(_, node)| node)
}

impl<'a> ChangeContext<'a> {
    /// All lines of the hunk.
    #[must_use]
    pub fn lines(&self) -> &'a [Line<'a>] {
        self.hunk.lines
    }

    /// What a node of the old tree became: the node of the same kind in the new tree that shares most of its tokens
    /// with it. `None` if less than half of it is left.
    #[must_use]
    pub fn counterpart(&self, old: Node<'_>) -> Option<Node<'a>> {
        counterpart(old, &self.change.forward, self.new)
    }

    /// What a node of the new tree was before.
    #[must_use]
    pub fn origin(&self, new: Node<'_>) -> Option<Node<'a>> {
        counterpart(new, &self.change.backward, self.old)
    }

    /// The nodes of a role that are gone: they stood on removed lines only, have no counterpart, and did not move
    /// elsewhere in the file.
    pub fn removed(&self, role: Role) -> impl Iterator<Item = Node<'a>> {
        self.old
            .with_role(role)
            .filter(|node| node.is_all_changed() && self.counterpart(*node).is_none() && !self.has_moved(*node))
    }

    /// The nodes of a role that are new: they stand on added lines only and have no origin.
    pub fn added(&self, role: Role) -> impl Iterator<Item = Node<'a>> {
        self.new.with_role(role).filter(|node| node.is_all_changed() && self.origin(*node).is_none())
    }

    /// The nodes of a role that were changed, before and after. Of nested ones, each is its own pair.
    pub fn changed(&self, role: Role) -> impl Iterator<Item = (Node<'a>, Node<'a>)> {
        let touched = self.old.with_role(role).filter(|node| node.touches_change());
        touched
            .filter_map(|old| self.counterpart(old).map(|new| (old, new)))
            .filter(|(old, new)| new.is_usable() && new.touches_change() && !self.same(*old, *new))
    }

    /// Whether an old and a new node say the same, renamed names aside.
    #[must_use]
    pub fn same(&self, old: Node<'_>, new: Node<'_>) -> bool {
        let renames = &self.change.added.renames;
        let old = old.leaves().filter(|leaf| !leaf.has_role(Role::Comment)).map(|leaf| renames.now(leaf.text()));
        let new = new.leaves().filter(|leaf| !leaf.has_role(Role::Comment)).map(Node::text);
        old.eq(new)
    }

    /// Whether the text of an old node (white space aside) stands among the added lines of the file.
    #[must_use]
    pub fn reappears(&self, old: Node<'_>) -> bool {
        let text = squeeze(&self.change.added.renames.in_text(old.text()));
        !text.is_empty() && memchr::memmem::find(self.change.added.text.as_bytes(), text.as_bytes()).is_some()
    }

    /// Whether an old node only moved: it reappears as a whole, or each of its lines does.
    #[must_use]
    pub fn has_moved(&self, old: Node<'_>) -> bool {
        let Some((first, last)) = old.hunk_lines() else { return false };
        let lines = self.hunk.lines.get(first..=last).unwrap_or_default();
        let says_something = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count() > 3;
        let mut removed =
            lines.iter().filter(|line| line.kind == LineKind::Removed && says_something(line.text)).peekable();
        let has_lines = removed.peek().is_some();
        (has_lines && removed.all(|line| self.adds(line.text))) || self.reappears(old)
    }

    /// Whether the file adds a line that an old one became: the same, white space and renamed names aside.
    fn adds(&self, old: &str) -> bool {
        self.change.added.lines.contains(&squeeze(&self.change.added.renames.in_text(old)))
    }

    /// The lines that belong together: a removed line and the added line that it became.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'a Line<'a>, &'a Line<'a>)> {
        let lines = self.hunk.lines;
        let mut shared = std::collections::BTreeMap::<(usize, usize), u32>::new();
        for (old, new) in (0_u32..).zip(&self.change.forward) {
            let place =
                |node: Option<Node<'a>>| node.and_then(|node| node.hunk_lines().map(|(first, _)| (first, node)));
            if let (Some((from, node)), Some((to, _))) = (place(self.old.node(old)), place(self.new.node(*new))) {
                *shared.entry((from, to)).or_default() += weight(node);
            }
        }
        let mut pairs: Vec<((usize, usize), u32)> = shared.into_iter().filter(|(_, weight)| *weight > 6).collect();
        pairs.sort_by_key(|(place, weight)| (std::cmp::Reverse(*weight), *place));
        let (mut from, mut to) = (HashSet::new(), HashSet::new());
        pairs.retain(|((a, b), _)| !from.contains(a) && !to.contains(b) && from.insert(*a) && to.insert(*b));
        pairs.sort();
        let line = |index: usize, kind: LineKind| lines.get(index).filter(|line| line.kind == kind);
        pairs
            .iter()
            .filter_map(|((a, b), _)| Some((line(*a, LineKind::Removed)?, line(*b, LineKind::Added)?)))
            .collect()
    }

    /// The first token of the new tree that comes after an old node, in the same function.
    fn after(&self, old: Node<'_>) -> Option<Node<'a>> {
        let function = old.enclosing(Role::Function);
        let end = old.descendants().last().unwrap_or(old).index();
        let mut later = self.old.nodes().filter(|node| node.index() > end && node.is_leaf());
        let next = later.find(|leaf| self.change.forward.get(leaf.index()).is_some_and(|new| *new != NONE))?;
        let same_function =
            next.enclosing(Role::Function).map(|node| node.index()) == function.map(|node| node.index());
        let new = self.change.forward.get(next.index()).and_then(|new| self.new.node(*new))?;
        same_function.then_some(new)
    }

    /// The first use of one of `names` on the new side after the place of an old node, in the same function.
    #[must_use]
    pub fn used_below(&self, names: &[&str], old: Node<'_>) -> Option<Node<'a>> {
        let start = self.after(old)?;
        let end = start.enclosing(Role::Function).and_then(|function| function.descendants().last());
        let last = end.map_or(usize::MAX, Node::index);
        let mut uses = self.new.nodes().filter(|node| node.index() >= start.index() && node.index() <= last);
        uses.find(|node| node.has_role(Role::Name) && names.contains(&node.text()))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use review::{ChunkFile, ChunkHunk, Language, Line, LineKind, Side, Status};

    use super::{Added, Change};
    use crate::fragment::{Fragment, SideText};
    use crate::grammar::Grammar;
    use crate::limits::Limits;
    use crate::node::Tree;
    use crate::rule::{ChangeContext, FileContext, hunks};

    /// Hands the change of a JavaScript file to a test; rows start as in a diff.
    fn with_change(rows: &[&'static str], test: impl FnOnce(&ChangeContext<'_>)) {
        let (mut old, mut new) = (0, 0);
        let mut lines = Vec::new();
        for row in rows {
            let kind = match row.chars().next() {
                Some('+') => LineKind::Added,
                Some('-') => LineKind::Removed,
                _ => LineKind::Context,
            };
            old += u32::from(kind != LineKind::Added);
            new += u32::from(kind != LineKind::Removed);
            let number = |counter, other| (kind != other).then_some(counter);
            let (old, new) = (number(old, LineKind::Added), number(new, LineKind::Removed));
            lines.push(Line { kind, old, new, text: &row[1..], terminated: true });
        }
        let hunk = ChunkHunk { heading: Cow::Borrowed(""), lines: Cow::Owned(lines) };
        let language = Language::find("JavaScript");
        let path = Cow::Borrowed("a.js");
        let file = ChunkFile { index: 0, is_test: false, path, language, status: Status::Modified, hunks: vec![hunk] };
        let grammar = Grammar::find("JavaScript").unwrap();
        let limits = Limits::default();
        let hunk = hunks(&file).next().unwrap();
        let parse = |side| {
            let text = SideText::new(hunk, side, &limits);
            Fragment::parse(grammar, text, "", false, None, &limits).ok().unwrap()
        };
        let (old, new) = (parse(Side::Old), parse(Side::New));
        let (old, new) = (Tree::new(&old, &limits), Tree::new(&new, &limits));
        let added = Added::new(&file);
        let change = Change::new(hunk, &old, &new, &added);
        let file = FileContext {
            path: "a.js",
            language: "JavaScript",
            grammar: Some(grammar),
            is_test: false,
            status: Status::Modified,
            index: 0,
        };
        test(&ChangeContext { file, old: &old, new: &new, hunk, change: &change });
    }

    #[test]
    fn a_dropped_clause_is_the_clause_and_not_the_equal_words_behind_it() {
        with_change(&[" f(", "-  user.home !== null && user.home.city,", "+  user.home.city,", " );"], |context| {
            let lost = context.lost_clauses();
            assert_eq!(lost.len(), 1);
            assert_eq!(lost[0].clause.text(), "user.home !== null");
            assert_eq!(lost[0].left.text(), "user.home.city");
            assert_eq!(lost[0].opened().map(|value| value.text()), Some("user.home"));
        });
    }

    #[test]
    fn an_inserted_clause_is_found_at_its_seam_too() {
        with_change(&[" f(", "-  user.home.city,", "+  user.home !== null && user.home.city,", " );"], |context| {
            let fresh: Vec<&str> = context.fresh(context.new.root().unwrap()).map(|leaf| leaf.text()).collect();
            assert_eq!(fresh, ["user", "home", "null"]);
            assert!(context.lost_clauses().is_empty());
        });
    }

    #[test]
    fn a_removed_call_is_known_with_what_still_uses_its_arguments() {
        with_change(&["-check(order);", " save(order);"], |context| {
            let calls = context.removed_calls();
            assert_eq!(calls.len(), 1);
            assert_eq!(calls[0].call.name, "check");
            assert_eq!(calls[0].used.map(|node| node.text()), Some("order"));
            assert!(context.only_takes_away(calls[0].statement));
        });
    }

    #[test]
    fn what_moved_or_was_replaced_is_not_gone() {
        with_change(&["-check(order);", " save(order);", "+check(order);"], |context| {
            assert!(context.removed_calls().is_empty());
        });
        with_change(&["-check(order);", "+verify(order);", " save(order);"], |context| {
            assert!(context.removed_calls().is_empty());
        });
    }

    #[test]
    fn a_function_is_judged_by_what_itself_gains() {
        let rows = [
            " function one(a) {",
            "+  more(alpha, beta, gamma, delta, epsilon);",
            "   use(a);",
            " }",
            " function two(order) {",
            "-  check(order);",
            "   save(order);",
            " }",
        ];
        with_change(&rows, |context| {
            let calls = context.removed_calls();
            assert_eq!(calls.len(), 1);
            assert!(context.only_takes_away(calls[0].statement));
        });
        let in_one_function: Vec<&'static str> =
            rows.into_iter().filter(|row| !matches!(*row, " }" | " function two(order) {")).collect();
        with_change(&in_one_function, |context| assert!(context.removed_calls().is_empty()));
    }

    #[test]
    fn what_asked_about_a_parameter_that_is_gone_went_with_it() {
        let rows = [
            "-function f(order, strict) {",
            "+function f(order) {",
            "-  if (order.open && strict) {",
            "+  if (order.open) {",
        ];
        let rest = ["     send(order);", "   }", " }"];
        with_change(&[rows.as_slice(), rest.as_slice()].concat(), |context| {
            assert!(context.lost_clauses().is_empty());
        });
        let kept = [" function f(order, strict) {", "-  if (order.open && strict) {", "+  if (order.open) {"];
        with_change(&[kept.as_slice(), rest.as_slice()].concat(), |context| {
            assert_eq!(context.lost_clauses().len(), 1);
        });
    }

    #[test]
    fn a_renamed_name_is_seen_through() {
        let rows = [
            "-let order = next();",
            "-if (order.id > 0) send(order);",
            "+let parcel = next();",
            "+if (parcel.id > 0) send(parcel);",
        ];
        with_change(&rows, |context| {
            let was = context.old.with_role(crate::grammar::Role::If).next().unwrap();
            assert_eq!(context.kept(was), 100);
            assert!(context.only_takes_away(was));
            assert!(context.changed_conditions().is_empty());
        });
    }
}
