//! Reads a text again without the little that its grammar does not know.
//!
//! No grammar knows every dialect and every new version of its language. Where only a few tokens are unknown, the text is
//! parsed without them, so that all else is read as usual. The parts that are left out cannot be code that matters: one or two
//! words, or punctuation; syntax that a grammar is known to lack (`spelling`); in SQL, a statement that ends where it seems to end; in YAML, the actions of a template. An error
//! that takes more than that remains an error, because it could hide anything.

mod effort;
mod spelling;
mod statements;
mod templates;
mod text;
mod words;

use tree_sitter::Tree;

use self::effort::{PART, WHOLE};
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
    /// All of the missing text is syntax that the grammar is known to lack.
    pub is_known: bool,
    /// The fragment. It has the same lines, and fewer errors.
    pub fragment: Fragment,
    /// Its tree.
    pub parsed: Tree,
}

impl Fragment {
    /// The fragment without what its grammar does not know, if that is little. Errors may remain.
    pub fn repaired(&self, parsed: &Tree, limits: &Limits) -> Option<Repaired> {
        if self.score == 0 {
            return None;
        }
        let mut is_known = false;
        let (left_out, read) = match self.grammar.name() {
            "SQL" => (LeftOut::Statements, statements::read(self, parsed, limits)?),
            "YAML" => (LeftOut::Actions, templates::read(self, limits)?),
            name => {
                let is_dockerfile = name == "Dockerfile";
                let plain = is_dockerfile
                    .then(|| templates::read(self, limits))
                    .flatten();
                let left_out = match plain {
                    Some(_) => LeftOut::Actions,
                    None => LeftOut::Words,
                };
                let read = plain.unwrap_or_else(|| (self.clone(), parsed.clone()));
                let read = spelling::read(&read.0, &read.1, limits).unwrap_or(read);
                is_known = read.0.score == 0 && left_out == LeftOut::Words;
                let read = spelling::read_accepted(&read.0, &read.1, limits).unwrap_or(read);
                let effort = if self.is_whole() { WHOLE } else { PART };
                (left_out, words::read(&read.0, &read.1, effort, limits))
            }
        };
        let (fragment, parsed) = read;
        (fragment.score < self.score).then_some(Repaired {
            left_out,
            is_known,
            fragment,
            parsed,
        })
    }
}
