//! A tree for ast-grep's patterns: a view of the flat list, so that access to parents and siblings costs one step.
//!
//! The parser's own tree has no parent links: it finds a parent by descending from the root.
//!
//! A search in a node of which the hunk shows only a part, or among its children, is recorded, unless it ends early
//! with a match. That nothing was found is then not certain.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use std::rc::Rc;

use ast_grep_core::Position;
use ast_grep_core::source::{Edit, SgNode};

use super::fields::{FEW, Fields};
use super::meter::Meter;
use super::node::{CUT, ERROR, EXTRA, Entry, LONG, MISSING, NAMED, NONE, Node, Tree};
use crate::language::Grammar;

/// The nodes of a tree with their text. Cheap to copy.
#[derive(Clone)]
pub struct Document {
    grammar: Grammar,
    source: Rc<String>,
    entries: Rc<Vec<Entry>>,
    fields: Rc<OnceCell<Fields>>,
    meter: Rc<Meter>,
}

/// A node of a document.
#[derive(Clone, Copy)]
pub struct Place<'d> {
    document: &'d Document,
    index: u32,
}

impl Tree<'_> {
    /// The view for patterns.
    pub fn document(&self) -> Document {
        Document {
            grammar: self.grammar(),
            source: Rc::clone(&self.fragment.source),
            entries: Rc::clone(&self.entries),
            fields: Rc::clone(&self.fields),
            meter: Rc::clone(&self.meter),
        }
    }
}

impl Document {
    /// The node of the underlying tree.
    pub fn place(&self, node: Node<'_>) -> Place<'_> {
        Place {
            document: self,
            index: node.index,
        }
    }
}

impl ast_grep_core::Doc for Document {
    type Lang = Grammar;
    type Node<'d> = Place<'d>;
    type Source = String;

    fn get_lang(&self) -> &Grammar {
        &self.grammar
    }

    fn get_source(&self) -> &String {
        &self.source
    }

    fn do_edit(&mut self, _: &Edit<String>) -> Result<(), String> {
        Err("a review does not change code".to_owned())
    }

    fn root_node(&self) -> Place<'_> {
        Place {
            document: self,
            index: 0,
        }
    }

    fn get_node_text<'a>(&'a self, node: &Place<'a>) -> Cow<'a, str> {
        let range = node.range();
        node.note_if_cut();
        self.meter.draw(1 + (range.len() / LONG as usize) as u64);
        Cow::Borrowed(self.source.get(range).unwrap_or_default())
    }
}

impl<'d> Place<'d> {
    /// Its position in document order.
    pub fn index(self) -> u32 {
        self.index
    }

    fn at(self, index: u32) -> Option<Self> {
        ((index as usize) < self.document.entries.len()).then_some(Self { index, ..self })
    }

    fn entry(self) -> &'d Entry {
        #[expect(
            clippy::indexing_slicing,
            reason = "places are made with an index into this very list"
        )]
        &self.document.entries[self.index as usize]
    }

    fn has(self, flag: u16) -> bool {
        self.entry().flags & flag != 0
    }

    fn end(self) -> u32 {
        self.entry().end.max(self.index + 1)
    }

    fn draw(self) -> bool {
        self.document.meter.draw(1)
    }

    /// Records that a result depends on all of a node, if the hunk shows only a part of it.
    fn note_if_cut(self) {
        if self.has(CUT) {
            self.document.meter.note_unseen();
        }
    }

    /// The children of a parent from a position on.
    fn siblings(self, parent: Option<Self>, next: u32) -> Siblings<'d> {
        Siblings {
            at: self,
            next,
            end: parent.map_or(0, Self::end),
            cut: parent.filter(|parent| parent.has(CUT)),
        }
    }

    /// The children that the hunk shows, for queries about these alone.
    fn shown_children(self) -> Siblings<'d> {
        Siblings {
            cut: None,
            ..self.siblings(Some(self), self.index + 1)
        }
    }

    /// The previous sibling.
    fn before(self) -> Option<Self> {
        let parent = self.entry().parent;
        let mut place = self
            .at(self.index.checked_sub(1)?)
            .filter(|last| last.index != parent)?;
        while place.entry().parent != parent {
            place = place.parent()?;
        }
        place.draw().then_some(place)
    }

    /// The first child in a field; nodes with many children use an index.
    fn child_in(self, is_it: impl Fn(u16) -> bool) -> Option<Self> {
        let mut children = self.shown_children();
        let is_child = |child: &Self| child.entry().field != 0 && is_it(child.entry().field);
        if let Some(found) = children.by_ref().take(FEW).find(is_child) {
            return Some(found);
        }
        children.next()?;
        let Document {
            entries, fields, ..
        } = self.document;
        let wide = fields
            .get_or_init(|| Fields::of(entries.iter().map(|entry| (entry.parent, entry.field))));
        wide.find(self.index, is_it)
            .and_then(|index| self.at(index))
    }

    fn column(self, byte: usize) -> usize {
        let before = self.document.source.get(..byte).unwrap_or_default();
        before.len() - before.rfind('\n').map_or(0, |at| at + 1)
    }
}

/// Siblings in document order, each at the cost of a step.
#[derive(Clone)]
struct Siblings<'d> {
    at: Place<'d>,
    next: u32,
    end: u32,
    /// The parent, if the hunk shows only a part of it.
    cut: Option<Place<'d>>,
}

impl<'d> Iterator for Siblings<'d> {
    type Item = Place<'d>;

    fn next(&mut self) -> Option<Place<'d>> {
        if self.next >= self.end {
            self.cut.into_iter().for_each(Place::note_if_cut);
            return None;
        }
        if !self.at.draw() {
            return None;
        }
        let place = self.at.at(self.next)?;
        self.next = place.end();
        Some(place)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = Self {
            cut: None,
            ..self.clone()
        }
        .fold(0, |count, _| count + 1);
        (count, Some(count))
    }
}

impl ExactSizeIterator for Siblings<'_> {}

impl SgNode<'_> for Place<'_> {
    fn parent(&self) -> Option<Self> {
        let parent = self.entry().parent;
        (parent != NONE).then(|| self.at(parent)).flatten()
    }

    fn children(&self) -> impl ExactSizeIterator<Item = Self> {
        self.siblings(Some(*self), self.index + 1)
    }

    fn kind(&self) -> Cow<'_, str> {
        Cow::Borrowed(self.document.grammar.kind_name(self.kind_id()))
    }

    fn kind_id(&self) -> u16 {
        self.entry().kind
    }

    fn node_id(&self) -> usize {
        self.index as usize
    }

    fn range(&self) -> Range<usize> {
        self.entry().start as usize..self.entry().finish as usize
    }

    fn start_pos(&self) -> Position {
        let byte = self.range().start;
        Position::new(self.entry().first_row as usize, self.column(byte), byte)
    }

    fn end_pos(&self) -> Position {
        let byte = self.range().end;
        let lines = self
            .document
            .source
            .get(self.range())
            .unwrap_or_default()
            .matches('\n')
            .count();
        Position::new(
            self.entry().first_row as usize + lines,
            self.column(byte),
            byte,
        )
    }

    fn ancestors(&self, _: Self) -> impl Iterator<Item = Self> {
        std::iter::successors(self.parent(), Self::parent).take_while(|place| place.draw())
    }

    fn dfs(&self) -> impl Iterator<Item = Self> {
        let own = *self;
        let all = (self.index..self.end())
            .map_while(move |index| own.at(index).filter(|place| place.draw()));
        all.chain(std::iter::from_fn(move || {
            own.note_if_cut();
            None
        }))
    }

    fn next(&self) -> Option<Self> {
        self.siblings(Some(self.parent()?), self.end()).next()
    }

    fn prev(&self) -> Option<Self> {
        let before = self.before();
        if before.is_none() {
            self.parent().into_iter().for_each(Self::note_if_cut);
        }
        before
    }

    fn next_all(&self) -> impl Iterator<Item = Self> {
        self.siblings(self.parent(), self.end())
    }

    fn prev_all(&self) -> impl Iterator<Item = Self> {
        std::iter::successors(SgNode::prev(self), SgNode::prev)
    }

    fn is_named(&self) -> bool {
        self.has(NAMED)
    }

    fn is_named_leaf(&self) -> bool {
        !self.shown_children().any(|child| child.has(NAMED))
    }

    fn is_leaf(&self) -> bool {
        self.end() == self.index + 1
    }

    fn is_missing(&self) -> bool {
        self.has(MISSING)
    }

    fn is_error(&self) -> bool {
        self.has(ERROR)
    }

    fn is_extra(&self) -> bool {
        self.has(EXTRA)
    }

    fn field(&self, name: &str) -> Option<Self> {
        let grammar = self.document.grammar;
        self.child_in(|field| grammar.field_name(field) == name)
    }

    fn field_children(&self, field: Option<u16>) -> impl Iterator<Item = Self> {
        self.children()
            .filter(move |child| field.is_some_and(|field| child.entry().field == field))
    }

    fn child_by_field_id(&self, field: u16) -> Option<Self> {
        self.child_in(|own| own == field)
    }
}
