//! Parses part of a file.
//!
//! A hunk starts and ends in the middle of something. Both sides of it are put together as text, completed in the few
//! ways in which such a text can be cut out of a file (see `contexts`), parsed, and the reading with the fewest error
//! bytes is kept. What is put before and after the text is synthetic: no rule ever sees it as code.

mod closers;
mod contexts;
mod ends;
mod gaps;
mod heredocs;
mod indent;
mod openers;
mod parse;
mod repeats;
mod screen;

use ast_grep_core::Doc;
use ast_grep_core::source::SgNode;
use ast_grep_core::tree_sitter::StrDoc;
use review::{LineKind, Side};

use crate::grammar::Grammar;
use crate::limits::Limits;
use crate::rule::Hunk;

pub(crate) type Root = ast_grep_core::AstGrep<StrDoc<Grammar>>;

/// The lines of one side of a hunk, as one text.
pub(crate) struct SideText {
    pub(crate) side: Side,
    /// Each line with a line feed.
    pub(crate) text: String,
    pub(crate) lines: Vec<SideLine>,
    /// A line was cut.
    pub(crate) cut: bool,
}

/// One line of it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SideLine {
    /// Number on its side, from 1.
    pub(crate) number: u32,
    /// Index in the hunk's lines.
    pub(crate) index: usize,
    /// Added or removed.
    pub(crate) changed: bool,
}

/// One side of a hunk, parsed.
pub(crate) struct Fragment {
    pub(crate) grammar: Grammar,
    pub(crate) side: Side,
    pub(crate) root: Root,
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

/// What is put before and after the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Context {
    pub(crate) before: String,
    pub(crate) after: String,
}

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The parser is known to crash or to run away on such input, or did not finish in its budget.
    Parser,
    /// More bytes than are analysed.
    TooLarge,
}

impl SideText {
    pub(crate) fn new(hunk: Hunk<'_>, side: Side, limits: &Limits) -> Self {
        let mut text = String::new();
        let mut lines = Vec::new();
        let mut cut = false;
        for (index, line) in hunk.lines.iter().enumerate() {
            let (number, own) = match side {
                Side::New => (line.new, LineKind::Added),
                Side::Old => (line.old, LineKind::Removed),
            };
            let Some(number) = number.filter(|_| line.kind == LineKind::Context || line.kind == own) else { continue };
            let kept = shorten(line.text, limits.line_bytes);
            cut |= kept.len() < line.text.len();
            text.push_str(kept);
            text.push('\n');
            lines.push(SideLine { number, index, changed: line.kind == own });
        }
        Self { side, text, lines, cut }
    }

    pub(crate) fn has_changes(&self) -> bool {
        self.lines.iter().any(|line| line.changed)
    }
}

/// At most `bytes` bytes, ending between characters.
pub(crate) fn shorten(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

impl Fragment {
    /// Parses a side of a hunk. `whole` says that the text is the whole file; `hint` is what fitted the
    /// other side, and how well.
    pub(crate) fn parse(
        grammar: Grammar,
        side: SideText,
        heading: &str,
        whole: bool,
        hint: Option<(&Context, usize)>,
        limits: &Limits,
    ) -> Result<Self, Trouble> {
        if side.text.len() > limits.bytes {
            return Err(Trouble::TooLarge);
        }
        let text = screen::prepare(grammar, &side.text);
        if limits.screen && screen::is_dangerous(grammar, &text) {
            return Err(Trouble::Parser);
        }
        let (context, read, tries) =
            parse::best(grammar, &text, heading, whole, hint, limits).ok_or(Trouble::Parser)?;
        Ok(Self {
            grammar,
            side: side.side,
            prefix: context.before.len(),
            prefix_rows: context.before.bytes().filter(|b| *b == b'\n').count(),
            end: context.before.len() + text.len(),
            root: Root::doc(StrDoc { src: read.source, lang: grammar, tree: read.tree }),
            lines: side.lines,
            context,
            error_bytes: read.error_bytes,
            score: read.score,
            tries,
        })
    }

    pub(crate) fn source(&self) -> &str {
        let doc: &StrDoc<Grammar> = self.root.root().get_doc();
        doc.get_source()
    }

    pub(crate) fn top(&self) -> tree_sitter::Node<'_> {
        self.root.root().get_inner_node()
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

/// Kept here so that the only place that knows ast-grep's node type is this module and `pattern`.
pub(crate) fn kind_of(node: &tree_sitter::Node<'_>) -> u16 {
    SgNode::kind_id(node)
}
