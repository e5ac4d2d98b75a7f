//! One side of a hunk as a syntax tree of the grammar.

use std::rc::Rc;

use review::Side;

use super::context::Context;
use super::limits::Limits;
use super::side::{SideLine, SideText};
use super::{reading, screen};
use crate::language::Grammar;

/// One side of a hunk, parsed.
pub(crate) struct Fragment {
    pub(crate) grammar: Grammar,
    pub(crate) side: Side,
    /// What was parsed: the text of the hunk, and what was put around it.
    pub(crate) source: Rc<String>,
    /// Bytes and rows before the text of the hunk.
    pub(crate) prefix: usize,
    pub(crate) prefix_rows: usize,
    /// Where the text of the hunk ends.
    pub(crate) end: usize,
    pub(crate) lines: Vec<SideLine>,
    /// How it was completed: first to try for the other side.
    pub(crate) context: Context,
    /// Bytes of the hunk's text that the parser made no sense of.
    pub(crate) error_bytes: usize,
    /// Those and missing tokens, weighed; 0 is a text without any error.
    pub(crate) score: usize,
    /// How many readings were tried.
    pub(crate) tries: usize,
}

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ParseError {
    /// The parser is known to crash or to run away on such input, or did not finish in its budget.
    Parser,
    /// More bytes than are analysed.
    TooLarge,
}

impl Fragment {
    /// Parses a side of a hunk; what the parser made of it is for [`Tree::new`](crate::tree::Tree::new). `whole` says that the text is the whole file; `hint` is what fitted the
    /// other side, and how well.
    pub(crate) fn parse(
        grammar: Grammar,
        side: SideText,
        heading: &str,
        whole: bool,
        hint: Option<(&Context, usize)>,
        limits: &Limits,
    ) -> Result<(Self, tree_sitter::Tree), ParseError> {
        if side.text.len() > limits.bytes {
            return Err(ParseError::TooLarge);
        }
        let text = screen::prepare(grammar, &side.text);
        if limits.screen && screen::is_dangerous(grammar, &text) {
            return Err(ParseError::Parser);
        }
        let (context, read, tries) =
            reading::best(grammar, &text, heading, whole, hint, limits).ok_or(ParseError::Parser)?;
        let fragment = Self {
            grammar,
            side: side.side,
            prefix: context.before.len(),
            prefix_rows: context.before.bytes().filter(|b| *b == b'\n').count(),
            end: context.before.len() + text.len(),
            source: Rc::new(read.source),
            lines: side.lines,
            context,
            error_bytes: read.error_bytes,
            score: read.score,
            tries,
        };
        Ok((fragment, read.tree))
    }

    /// The line that a row of the parsed text shows; `None` for synthetic rows.
    pub(crate) fn line_of_row(&self, row: usize) -> Option<(usize, SideLine)> {
        let index = row.checked_sub(self.prefix_rows)?;
        self.lines.get(index).map(|line| (index, *line))
    }
}

/// The row that a node ends on: a node that ends just behind a line feed ends on the line before.
pub(crate) fn last_row(node: &tree_sitter::Node<'_>) -> usize {
    let end = node.end_position();
    if end.column == 0 && end.row > node.start_position().row { end.row - 1 } else { end.row }
}
