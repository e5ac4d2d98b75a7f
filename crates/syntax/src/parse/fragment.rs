//! One side of a hunk as a syntax tree.

use std::ops::Range;
use std::rc::Rc;

use review::Side;
use tree_sitter::{InputEdit, Point};

use super::alternatives::{Alternate, alternatives};
use super::context::Context;
use super::limits::Limits;
use super::reading::{Known, Read};
use super::side::{SideLine, SideText};
use super::{edits, reading, screen};
use crate::language::Grammar;

/// How much of its file a hunk shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// A part.
    Part,
    /// Probably the whole file. It is parsed as one, but nothing is concluded from what is missing in it.
    Likely,
    /// All of it.
    Whole,
}

/// One side of a hunk, parsed.
#[derive(Clone)]
pub struct Fragment {
    /// The language that it was parsed as.
    pub grammar: Grammar,
    pub(crate) side: Side,
    /// The parsed text: the text of the hunk within its context.
    pub source: Rc<String>,
    /// Bytes before the text of the hunk.
    pub prefix: usize,
    /// Rows before the text of the hunk.
    pub prefix_rows: usize,
    /// The end of the hunk's text.
    pub end: usize,
    pub(crate) lines: Vec<SideLine>,
    pub(crate) extent: Extent,
    /// Its context, the first to be tried for the other side.
    pub context: Context,
    /// Bytes of the hunk's text within error nodes.
    pub error_bytes: usize,
    /// Error bytes and missing tokens, weighted; 0 means no error.
    pub score: usize,
    /// How many contexts were tried.
    pub tries: usize,
}

/// The other side of a hunk, already parsed.
#[derive(Clone, Copy)]
pub struct OtherSide<'a> {
    /// Its fragment.
    pub fragment: &'a Fragment,
    /// Its tree, from which a whole file takes over what did not change.
    pub tree: Option<&'a tree_sitter::Tree>,
}

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseError {
    /// The parser is known to crash or to exceed its budget on such input.
    Parser,
    /// Larger than the limit.
    TooLarge,
}

impl Fragment {
    /// Parses a side of a hunk for [`Tree::new`](crate::tree::Tree::new). The context of the other side is tried first.
    pub fn parse(
        grammar: Grammar,
        side: SideText,
        heading: &str,
        extent: Extent,
        other: Option<OtherSide<'_>>,
        limits: &Limits,
    ) -> Result<(Self, tree_sitter::Tree), ParseError> {
        if side.text.len() > limits.bytes {
            return Err(ParseError::TooLarge);
        }
        let text = screen::prepare(grammar, &side.text, extent == Extent::Whole);
        if limits.screen && screen::is_dangerous(grammar, &text) {
            return Err(ParseError::Parser);
        }
        let is_whole = extent != Extent::Part;
        let known = other.map(|OtherSide { fragment, tree }| Known {
            context: &fragment.context,
            score: fragment.score,
            edited: tree
                .filter(|_| is_whole && fragment.is_whole() && fragment.score == 0)
                .and_then(|tree| {
                    let from = (fragment.source.as_str(), fragment.lines.as_slice());
                    edits::edited(tree, from, (&text, &side.lines))
                }),
        });
        let (context, read, tries) =
            reading::best(grammar, &text, heading, is_whole, known.as_ref(), limits)
                .ok_or(ParseError::Parser)?;
        let SideText { side, lines, .. } = side;
        let fragment = Self {
            grammar,
            side,
            lines,
            extent,
            tries,
            prefix: 0,
            prefix_rows: 0,
            end: text.len(),
            source: Rc::default(),
            context: Context::default(),
            error_bytes: 0,
            score: 0,
        };
        Ok(fragment.read_as(context, read))
    }

    /// The same text, parsed in another context.
    fn read_as(self, context: Context, read: Read) -> (Self, tree_sitter::Tree) {
        let fragment = Self {
            prefix: context.before.len(),
            prefix_rows: context.before.bytes().filter(|b| *b == b'\n').count(),
            end: context.before.len() + self.end - self.prefix,
            source: Rc::new(read.source),
            context,
            error_bytes: read.error_bytes,
            score: read.score,
            ..self
        };
        (fragment, read.tree)
    }

    /// The other contexts in which this fragment may be, see the module `alternatives`. A whole file has none. The list
    /// has the same order for both sides of a hunk.
    pub fn alternatives(&self, heading: &str) -> Vec<Alternate> {
        if self.is_whole() {
            return Vec::new();
        }
        alternatives(self.grammar, self.text(), heading, &self.context)
    }

    /// Parses it in another context. `None` if it has more errors there, which rules that context out.
    pub fn within(&self, context: &Context, limits: &Limits) -> Option<(Self, tree_sitter::Tree)> {
        let read = reading::within(self.grammar, self.text(), context, None, limits)?;
        (read.score <= self.score).then(|| self.clone().read_as(context.clone(), read))
    }

    /// Parses another text with the same lines; `None` if it has more errors.
    pub fn with_text(&self, text: &str, limits: &Limits) -> Option<(Self, tree_sitter::Tree)> {
        self.reread(text, None, limits)
    }

    /// As [`Self::with_text`], for a text in which only a range of the hunk's text was replaced. The parser takes over from `tree`, that
    /// of this fragment, what did not change.
    pub(super) fn with_edit(
        &self,
        tree: &tree_sitter::Tree,
        text: &str,
        range: Range<usize>,
        length: usize,
        limits: &Limits,
    ) -> Option<(Self, tree_sitter::Tree)> {
        let mut edited = tree.clone();
        let point = |at: usize, text: &str| {
            let before = text.get(..at).unwrap_or(text);
            let start = before.rfind('\n').map_or(0, |at| at + 1);
            let rows = before.bytes().filter(|byte| *byte == b'\n').count();
            Point::new(self.prefix_rows + rows, before.len() - start)
        };
        let new_end = range.start + length;
        edited.edit(&InputEdit {
            start_byte: self.prefix + range.start,
            old_end_byte: self.prefix + range.end,
            new_end_byte: self.prefix + new_end,
            start_position: point(range.start, text),
            old_end_position: point(range.end, self.text()),
            new_end_position: point(new_end, text),
        });
        self.reread(text, Some(&edited), limits)
    }

    fn reread(
        &self,
        text: &str,
        edited: Option<&tree_sitter::Tree>,
        limits: &Limits,
    ) -> Option<(Self, tree_sitter::Tree)> {
        let read = reading::within(self.grammar, text, &self.context, edited, limits)?;
        let own = Self {
            end: self.prefix + text.len(),
            ..self.clone()
        };
        (read.score <= self.score).then(|| own.read_as(self.context.clone(), read))
    }

    /// Whether it was parsed as a whole file.
    pub(crate) fn is_whole(&self) -> bool {
        self.extent != Extent::Part
    }

    /// The text of the hunk.
    pub(crate) fn text(&self) -> &str {
        self.source.get(self.prefix..self.end).unwrap_or_default()
    }

    /// The hunk's line of a row of the parsed text; `None` for synthetic rows.
    pub fn line_of_row(&self, row: usize) -> Option<(usize, SideLine)> {
        let index = row.checked_sub(self.prefix_rows)?;
        self.lines.get(index).map(|line| (index, *line))
    }
}

/// The last row of a node: one that ends just after a line feed ends on the previous row.
pub(crate) fn last_row(range: &tree_sitter::Range) -> usize {
    let (start, end) = (range.start_point, range.end_point);
    if end.column == 0 && end.row > start.row {
        end.row - 1
    } else {
        end.row
    }
}
