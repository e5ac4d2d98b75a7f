//! The description of a language.

use review::Lexical;

use super::role::Role;

/// How blocks are delimited, which determines how a fragment is completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blocks {
    /// `{ … }`.
    Braces,
    /// By indentation; headers end in `:`.
    Indent,
    /// `def … end`, as Ruby.
    End,
    /// `if … fi`, `do … done`, as in the shell.
    Shell,
    /// No blocks: data, or a sequence of statements.
    Plain,
}

/// Code that may enclose a fragment instead of a synthetic opener.
pub(crate) struct Alternative {
    /// The opener, or a part of its line; empty for code around the whole text.
    pub(crate) opener: &'static str,
    pub(crate) instead: &'static str,
    /// It opens further blocks around the fragment.
    pub(crate) is_wider: bool,
    /// The text that closes the blocks.
    pub(crate) close: &'static str,
}

/// An alternative that opens the same number of blocks.
pub(super) const fn or(opener: &'static str, instead: &'static str) -> Alternative {
    Alternative {
        opener,
        instead,
        is_wider: false,
        close: "",
    }
}

/// An alternative that opens further blocks.
pub(super) const fn with(
    opener: &'static str,
    instead: &'static str,
    close: &'static str,
) -> Alternative {
    Alternative {
        opener,
        instead,
        is_wider: true,
        close,
    }
}

/// One row of the table.
pub struct Row {
    /// Linguist's name.
    pub name: &'static str,
    /// The folder of its rules.
    pub folder: &'static str,
    /// The file extension of examples.
    pub extension: &'static str,
    pub(crate) language: fn() -> tree_sitter::Language,
    /// The replacement of `$` in patterns, a character that the grammar accepts in identifiers.
    pub(crate) expando: char,
    pub blocks: Blocks,
    /// Headers that can enclose a fragment, outermost first; the last one may repeat.
    pub ladders: &'static [&'static [&'static str]],
    /// Contexts within a statement: the text before and after.
    pub(crate) inner: &'static [(&'static str, &'static str)],
    /// Code that may enclose a fragment instead of the openers above.
    pub(crate) alternatives: &'static [Alternative],
    /// The start of an anonymous function, including its opening brace.
    pub(crate) lambda: &'static str,
    pub(crate) roles: &'static [(Role, &'static [&'static str])],
}

impl Row {
    /// How the language writes comments and strings.
    pub fn lexical(&self) -> &'static Lexical {
        Lexical::or_any(Some(self.name))
    }
}
