//! Reads a text again without the little that its grammar does not know.
//!
//! No grammar knows every dialect and every new version of its language. Where only a few tokens are unknown, the text is
//! parsed without them, so that all else is read as usual. The parts that are left out cannot be code that matters: one or two
//! words, or punctuation; in SQL, a statement that ends where it seems to end; in YAML, the actions of a template. An error
//! that takes more than that remains an error, because it could hide anything.

mod statements;
mod templates;
mod words;

use tree_sitter::Tree;

use super::fragment::Fragment;
use super::limits::Limits;

/// The kind of text that was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftOut {
    /// Some words or punctuation.
    Words,
    /// Statements of SQL.
    Statements,
    /// The actions of a template.
    Actions,
}

/// A fragment without the parts that its grammar cannot read.
pub struct Repaired {
    /// The kind of text that is missing in it.
    pub left_out: LeftOut,
    /// The fragment. It has the same lines, and no errors.
    pub fragment: Fragment,
    /// Its tree.
    pub parsed: Tree,
}

/// Bytes parsed to repair a text, as long as this leaves [`FEWEST`] attempts.
const EFFORT: usize = 1_000_000;
const FEWEST: usize = 4;
const MOST: usize = 32;

impl Fragment {
    /// The fragment without what its grammar does not know; `None` if that is not little.
    pub fn repaired(&self, parsed: &Tree, limits: &Limits) -> Option<Repaired> {
        if self.score == 0 {
            return None;
        }
        let attempts = (EFFORT / self.source.len().max(1)).clamp(FEWEST, MOST);
        let (left_out, read) = match self.grammar.name() {
            "SQL" => (LeftOut::Statements, statements::read(self, parsed, limits)?),
            "YAML" => (LeftOut::Actions, templates::read(self, limits)?),
            _ => (LeftOut::Words, words::read(self, parsed, attempts, limits)?),
        };
        let (fragment, parsed) = read;
        (fragment.score == 0).then_some(Repaired {
            left_out,
            fragment,
            parsed,
        })
    }
}

/// Replaces a range of a text by blanks, except line feeds.
fn blank(text: &mut String, range: std::ops::Range<usize>) {
    fill(text, range, b' ');
}

/// Replaces the bytes of a range by an ASCII character, except line feeds.
fn fill(text: &mut String, range: std::ops::Range<usize>, with: u8) {
    let Some(old) = text.get(range.clone()) else {
        return;
    };
    let new: String = old
        .bytes()
        .map(|byte| char::from(if byte == b'\n' { byte } else { with }))
        .collect();
    text.replace_range(range, &new);
}

/// The outermost errors and missing tokens, in document order.
fn errors(tree: &Tree) -> Vec<tree_sitter::Node<'_>> {
    let mut found = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            found.push(node);
        } else if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}
