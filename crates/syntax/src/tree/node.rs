//! Syntax nodes as rules see them.
//!
//! The tree is copied once into a flat list in document order. So walking it needs no recursion, `parent` costs one
//! step, and nodes that rules must not see (errors, synthetic text, nodes that are too deep) are marked.

use std::any::Any;
use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

use review::Side;

use super::call_cache::CallCache;
use super::fields::Fields;
use super::index::Index;
use super::meter::Meter;
use super::places::Asked;
use crate::language::{Grammar, Role};
use crate::parse::{Extent, Fragment, Limits, SideLine, last_row};

pub(super) const NONE: u32 = u32::MAX;

/// Bytes of text that can be read per step.
pub(super) const LONG: u32 = 64;

pub(super) const ERROR_ABOVE: u16 = 1;
const ERROR_INSIDE: u16 = 2;
const SYNTHETIC: u16 = 4;
const TOO_DEEP: u16 = 8;
pub(super) const CHANGED: u16 = 16;
const INCOMPLETE: u16 = 32;
pub(super) const NAMED: u16 = 64;
pub(super) const ERROR: u16 = 128;
pub(super) const MISSING: u16 = 256;
pub(super) const EXTRA: u16 = 512;
/// It contains text of the hunk, and code that the hunk does not show.
pub(super) const CUT: u16 = 1024;

/// After this number of consecutive children without a field, a parent is assumed to have no more fields.
const FIELDLESS: u16 = 256;

/// One side of a hunk as a syntax tree.
pub struct Tree<'t> {
    pub(super) fragment: &'t Fragment,
    source: &'t str,
    /// The text of the hunk without white space around it.
    pub(super) code: Range<usize>,
    /// Shared with the document for patterns.
    pub(super) entries: Rc<Vec<Entry>>,
    /// Number of changed lines before each line.
    changed: Vec<u32>,
    /// Part of the tree was too deep or too large to copy.
    pub partial: bool,
    /// Part of the tree was too deep, so nothing recursive may run on it.
    pub too_deep: bool,
    /// The most recently requested calls.
    pub(super) calls: CallCache,
    /// The meter for walks over it.
    pub meter: Rc<Meter>,
    pub(super) fields: Rc<OnceCell<Fields>>,
    /// The index of names.
    pub(super) names: OnceCell<Index>,
    pub(super) asked: OnceCell<Box<Asked>>,
    /// The starts of the rows of the parsed text.
    pub(super) row_starts: OnceCell<Box<[usize]>>,
    /// The rows that the parser could not parse, and those next to them, in order.
    pub(super) recovered: OnceCell<Box<[Range<usize>]>>,
    /// Data that a later layer derives from the tree.
    derived: OnceCell<Box<dyn Any>>,
}

pub(super) struct Entry {
    /// Roles as a bit set, see [`Grammar::roles_of`].
    roles: u64,
    pub(super) parent: u32,
    /// Index after the last descendant.
    pub(super) end: u32,
    pub(super) start: u32,
    pub(super) finish: u32,
    /// The first and last row in the parsed text.
    pub(super) first_row: u32,
    pub(super) last_row: u32,
    pub(super) field: u16,
    pub(super) kind: u16,
    pub(super) flags: u16,
}

/// A syntax node. Cheap to copy.
#[derive(Clone, Copy)]
pub struct Node<'t> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) index: u32,
}

impl<'t> Tree<'t> {
    /// Copies the parser's tree of a fragment and returns the fragment without it, because the list replaces it.
    pub fn new(fragment: &'t Fragment, parsed: tree_sitter::Tree, limits: &Limits) -> Self {
        let mut changed = Vec::with_capacity(fragment.lines.len() + 1);
        changed.push(0);
        let mut sum = 0;
        for line in &fragment.lines {
            sum += u32::from(line.changed);
            changed.push(sum);
        }
        let mut tree = Self {
            fragment,
            source: &fragment.source,
            code: code_of(fragment),
            entries: Rc::default(),
            changed,
            partial: false,
            too_deep: false,
            calls: CallCache::default(),
            meter: Rc::default(),
            fields: Rc::default(),
            names: OnceCell::new(),
            asked: OnceCell::new(),
            row_starts: OnceCell::new(),
            recovered: OnceCell::new(),
            derived: OnceCell::new(),
        };
        let mut entries =
            Vec::with_capacity(parsed.root_node().descendant_count().min(limits.nodes));
        tree.fill(&mut entries, &parsed, limits);
        drop(parsed);
        tree.entries = Rc::new(entries);
        tree
    }

    /// Draws steps from a shared meter.
    pub fn metered_by(mut self, meter: &Rc<Meter>) -> Self {
        self.meter = Rc::clone(meter);
        self
    }

    /// Copies the tree with a cursor.
    fn fill(&mut self, entries: &mut Vec<Entry>, parsed: &tree_sitter::Tree, limits: &Limits) {
        let mut cursor = parsed.walk();
        let mut path: Vec<u32> = Vec::new();
        // For each node on the path: the number of its children so far, if none of them was in a field.
        let mut fieldless: Vec<u16> = Vec::new();
        loop {
            let index = number(entries.len());
            if entries.len() >= limits.nodes || index == NONE {
                self.partial = true;
                break;
            }
            let parent = path.last().copied().unwrap_or(NONE);
            let above = entries
                .get(parent as usize)
                .map_or(0, |parent| self.inherited(parent, cursor.node()));
            let field = field_of(&cursor, fieldless.last_mut());
            entries.push(self.entry(cursor.node(), parent, above, field));
            if path.len() < limits.depth {
                if cursor.goto_first_child() {
                    path.push(index);
                    fieldless.push(0);
                    continue;
                }
            } else if cursor.node().child_count() > 0 {
                mark(entries, &path, TOO_DEEP);
                mark(entries, &[index], TOO_DEEP);
                self.too_deep = true;
            }
            close(entries, index);
            while !cursor.goto_next_sibling() {
                let Some(done) = path.pop() else { break };
                fieldless.pop();
                close(entries, done);
                cursor.goto_parent();
            }
            if path.is_empty() {
                break;
            }
        }
        self.partial |= self.too_deep;
        mark(entries, &path, INCOMPLETE);
        for open in path {
            close(entries, open);
        }
    }

    /// The flags that a node inherits from its parent. A definition without an error in it is usable even inside an
    /// error: in a whole file, a single error often contains the entire text.
    fn inherited(&self, parent: &Entry, raw: tree_sitter::Node<'_>) -> u16 {
        let above = parent.flags & ERROR_ABOVE;
        let is_definition = || {
            let roles = self.fragment.grammar.roles_of(raw.kind_id());
            roles & (Role::Function.bit() | Role::Class.bit()) != 0 && raw.named_child_count() > 1
        };
        if above != 0 && !raw.has_error() && is_definition() {
            0
        } else {
            above
        }
    }

    fn entry(&self, raw: tree_sitter::Node<'_>, parent: u32, above: u16, field: u16) -> Entry {
        let mut flags = above;
        let range = raw.range();
        // A missing token counts as an error, too.
        let has_error = raw.has_error();
        let is_error = has_error && raw.is_error();
        if has_error {
            flags |= ERROR_INSIDE;
            if is_error && !(parent == NONE && is_mostly_read(raw)) {
                flags |= ERROR_ABOVE;
            }
        }
        let fragment = self.fragment;
        if range.start_byte < fragment.prefix || range.end_byte > fragment.end {
            flags |= SYNTHETIC;
        }
        let kind = raw.kind_id();
        let roles = fragment.grammar.roles_of(kind);
        let encloses = range.start_byte < fragment.end && range.end_byte > fragment.prefix;
        if encloses && (flags & SYNTHETIC != 0 || self.may_go_on(raw, roles, parent == NONE)) {
            flags |= CUT;
        }
        let (first_row, last_row) = (range.start_point.row, last_row(&range));
        let is = |flag: u16, holds: bool| if holds { flag } else { 0 };
        flags |= is(CHANGED, self.touches_change(first_row, last_row));
        flags |= is(NAMED, raw.is_named()) | is(ERROR, is_error);
        flags |= is(MISSING, has_error && raw.is_missing()) | is(EXTRA, raw.is_extra());
        let (start, finish) = (number(range.start_byte), number(range.end_byte));
        let (first_row, last_row) = (number(first_row), number(last_row));
        Entry {
            roles,
            parent,
            end: 0,
            start,
            finish,
            first_row,
            last_row,
            field,
            kind,
            flags,
        }
    }

    /// The number of changed lines before a line.
    fn changed_before(&self, line: usize) -> usize {
        self.changed
            .get(line.min(self.changed.len() - 1))
            .copied()
            .unwrap_or(0) as usize
    }

    /// The first changed line at or after a line.
    fn changed_from(&self, line: usize) -> Option<usize> {
        let before = self.changed_before(line);
        let at = self.changed.partition_point(|sum| *sum as usize <= before);
        (at < self.changed.len()).then(|| at - 1)
    }

    /// The last changed row at or before a row.
    pub(super) fn last_changed_row(&self, row: usize) -> Option<usize> {
        let rows = self.fragment.prefix_rows;
        let count = self.changed_before((row + 1).checked_sub(rows)?);
        let line = self
            .changed
            .partition_point(|sum| (*sum as usize) < count)
            .checked_sub(1)?;
        Some(rows + line)
    }

    /// The parsed text.
    pub(crate) fn source(&self) -> &'t str {
        self.source
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

    /// Whether the text is known to be the whole file.
    pub fn is_whole(&self) -> bool {
        self.fragment.extent == Extent::Whole
    }

    /// Whether it is the whole file, and all of it could be parsed.
    pub fn is_readable_file(&self) -> bool {
        self.is_whole() && !self.partial && self.root().is_some_and(Node::is_usable)
    }

    /// Data that a later layer derives from the tree, computed once. There is room for one type.
    pub(crate) fn derived<T: Any>(&self, make: impl FnOnce() -> T) -> Option<&T> {
        self.derived
            .get_or_init(|| Box::new(self.meter.apart(make)))
            .downcast_ref()
    }

    /// The node with an index from [`Node::index`].
    pub fn node(&'t self, index: u32) -> Option<Node<'t>> {
        self.meter.draw(1).then(|| self.at(index)).flatten()
    }

    pub(super) fn at(&'t self, index: u32) -> Option<Node<'t>> {
        ((index as usize) < self.entries.len()).then_some(Node { tree: self, index })
    }

    /// The whole text. It is often partly synthetic; rules examine its children.
    #[must_use]
    pub fn root(&'t self) -> Option<Node<'t>> {
        self.at(0)
    }
}

/// The text of the hunk without white space around it.
fn code_of(fragment: &Fragment) -> Range<usize> {
    let text = fragment.text();
    fragment.end - text.trim_start().len()..fragment.prefix + text.trim_end().len()
}

/// The field of a cursor's node. To find it, the cursor climbs through all hidden nodes to the parent. A chain such as
/// HCL's `a.b.c` has one per link, so a parent is not queried again if its first children are in no field.
fn field_of(cursor: &tree_sitter::TreeCursor<'_>, fieldless: Option<&mut u16>) -> u16 {
    let Some(fieldless) = fieldless.filter(|count| **count < FIELDLESS) else {
        return 0;
    };
    let field = cursor.field_id().map_or(0, std::num::NonZero::get);
    *fieldless = if field == 0 { *fieldless + 1 } else { 0 };
    field
}

/// Texts of more than 4 GiB are never parsed.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(NONE)
}

fn mark(entries: &mut [Entry], path: &[u32], flag: u16) {
    for index in path {
        if let Some(entry) = entries.get_mut(*index as usize) {
            entry.flags |= flag;
        }
    }
}

fn close(entries: &mut [Entry], index: u32) {
    let end = number(entries.len());
    if let Some(entry) = entries.get_mut(index as usize) {
        entry.end = end;
    }
}

/// Whether a text with a syntax error at the top still consists of complete statements and definitions, with less than
/// a third of loose tokens between them.
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
    pub(super) fn entry(self) -> &'t Entry {
        #[expect(
            clippy::indexing_slicing,
            reason = "nodes are made with an index into this very list"
        )]
        &self.tree.entries[self.index as usize]
    }

    /// Its tree.
    #[must_use]
    pub fn tree(self) -> &'t Tree<'t> {
        self.tree
    }

    /// Its first and last row in the parsed text.
    pub(super) fn rows(self) -> (usize, usize) {
        (
            self.entry().first_row as usize,
            self.entry().last_row as usize,
        )
    }

    /// Its position in document order.
    #[must_use]
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// The position as trees store it.
    pub(super) fn place(self) -> u32 {
        self.index
    }

    /// The grammar's number of its kind.
    pub fn kind_id(self) -> u16 {
        self.entry().kind
    }

    /// The field of its parent that it is in; empty if it is in none.
    pub fn own_field(self) -> &'static str {
        self.tree.grammar().field_name(self.entry().field)
    }

    /// The grammar's name of its kind, for example `call_expression`, or the token itself, for example `+`.
    #[must_use]
    pub fn kind(self) -> &'static str {
        self.tree.grammar().kind_name(self.kind_id())
    }

    /// Whether [`Node::kind`] is one of `kinds`.
    #[must_use]
    pub fn is(self, kinds: &[&str]) -> bool {
        kinds.contains(&self.kind())
    }

    /// Whether it has a role in its language.
    #[must_use]
    pub fn has_role(self, role: Role) -> bool {
        self.entry().roles & role.bit() != 0
    }

    /// Whether it is named, and not a token such as `(` or `if`.
    #[must_use]
    pub fn is_named(self) -> bool {
        self.entry().flags & NAMED != 0
    }

    /// Whether it is reliable: within the text of the hunk, and without an error or excessive depth in or above it.
    #[must_use]
    pub fn is_usable(self) -> bool {
        self.entry().flags & (ERROR_ABOVE | ERROR_INSIDE | SYNTHETIC | TOO_DEEP | INCOMPLETE) == 0
    }

    /// Whether it starts and ends within the text of the hunk; otherwise it encloses the hunk or is synthetic.
    #[must_use]
    pub fn is_within_hunk(self) -> bool {
        self.entry().flags & SYNTHETIC == 0
    }

    /// Whether the hunk shows all of it: it starts and ends within the hunk, and a token ends it.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.entry().flags & (SYNTHETIC | CUT) == 0
    }

    /// Whether nothing of the hunk precedes it, so that it may start earlier, for example with annotations.
    #[must_use]
    pub fn may_start_earlier(self) -> bool {
        !self.tree.fragment.is_whole() && self.start() <= self.tree.code.start
    }

    /// Whether one of its lines was added (on the new side) or removed (on the old side).
    #[must_use]
    pub fn touches_change(self) -> bool {
        self.entry().flags & CHANGED != 0
    }

    /// Whether all of its lines were added (on the new side) or removed (on the old side).
    #[must_use]
    pub fn is_all_changed(self) -> bool {
        let fragment = self.tree.fragment;
        let (first, last) = self.rows();
        let Some((first, _)) = fragment.line_of_row(first) else {
            return false;
        };
        let Some((last, _)) = fragment.line_of_row(last) else {
            return false;
        };
        self.tree.changed_before(last + 1) - self.tree.changed_before(first) == last + 1 - first
    }

    /// Its start in the parsed text.
    #[must_use]
    pub fn start(self) -> usize {
        self.entry().start as usize
    }

    /// Its end in the parsed text.
    #[must_use]
    pub fn end(self) -> usize {
        self.entry().finish as usize
    }

    /// Its source text.
    #[must_use]
    pub fn text(self) -> &'t str {
        let length = self.entry().finish.saturating_sub(self.entry().start);
        if length >= LONG {
            self.tree.meter.draw(u64::from(length / LONG));
        }
        self.tree
            .source
            .get(self.start()..self.end())
            .unwrap_or_default()
    }

    /// The number of its first line; `None` if that is synthetic.
    #[must_use]
    pub fn line(self) -> Option<u32> {
        self.side_line().map(|line| line.number)
    }

    /// The number of its last line; `None` if that is synthetic.
    #[must_use]
    pub fn last_line(self) -> Option<u32> {
        self.tree
            .fragment
            .line_of_row(self.rows().1)
            .map(|(_, line)| line.number)
    }

    fn side_line(self) -> Option<SideLine> {
        self.tree
            .fragment
            .line_of_row(self.rows().0)
            .map(|(_, line)| line)
    }

    /// Indices in the hunk of its first and last line.
    pub fn hunk_lines(self) -> Option<(usize, usize)> {
        let (_, first) = self.tree.fragment.line_of_row(self.rows().0)?;
        let (_, last) = self.tree.fragment.line_of_row(self.rows().1)?;
        Some((first.index as usize, last.index as usize))
    }

    /// The line to report: its first line if that was changed, otherwise the first changed one, otherwise the first.
    pub fn report_line(self) -> Option<SideLine> {
        self.tree
            .fragment
            .line_of_row(self.report_row()?)
            .map(|(_, line)| line)
    }

    /// Whether that line is in or next to a part of the text that the parser could not parse.
    pub fn is_recovered(self) -> bool {
        [Some(self.rows().0), self.report_row()]
            .into_iter()
            .flatten()
            .any(|row| self.tree.is_recovered(row))
    }

    /// The row of that line, if it is in the hunk.
    pub(super) fn report_row(self) -> Option<usize> {
        let fragment = self.tree.fragment;
        let rows = |row: usize| row.saturating_sub(fragment.prefix_rows);
        let (first, last) = self.rows();
        let changed = self
            .tree
            .changed_from(rows(first))
            .filter(|line| *line <= rows(last));
        let changed = changed
            .filter(|line| *line < fragment.lines.len())
            .map(|line| line + fragment.prefix_rows);
        changed.or_else(|| fragment.line_of_row(first).map(|_| first))
    }

    /// Its parent.
    #[must_use]
    pub fn parent(self) -> Option<Self> {
        self.tree.at(self.entry().parent)
    }

    /// Whether it has no children.
    #[must_use]
    pub fn is_leaf(self) -> bool {
        self.entry().end <= self.index + 1
    }

    /// Whether it is `other` or one of its descendants.
    #[must_use]
    pub fn is_inside(self, other: Self) -> bool {
        std::ptr::eq(self.tree, other.tree)
            && (other.index..other.entry().end.max(other.index + 1)).contains(&self.index)
    }
}

impl PartialEq for Node<'_> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(
            std::ptr::from_ref(self.tree).cast::<u8>(),
            std::ptr::from_ref(other.tree).cast::<u8>(),
        ) && self.index == other.index
    }
}

impl Eq for Node<'_> {}

impl fmt::Debug for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?}", self.kind(), self.text())
    }
}

impl<'t> Tree<'t> {
    /// A slice of the parsed text.
    pub(crate) fn slice(&self, start: usize, end: usize) -> &'t str {
        self.source.get(start..end).unwrap_or_default()
    }
}
