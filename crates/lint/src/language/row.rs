//! What is known of one language.

use super::role::Role;

/// How blocks are written: what a cut-off piece of text needs to become whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Blocks {
    /// `{ … }`.
    Braces,
    /// By indentation, headers end in `:`.
    Indent,
    /// `def … end`, as Ruby.
    End,
    /// `if … fi`, `do … done`, as the shell.
    Shell,
    /// No blocks: data or statements one after the other.
    Plain,
}

/// One row of the table.
pub(crate) struct Row {
    /// Linguist's name.
    pub(crate) name: &'static str,
    /// Folder of its rules.
    pub(crate) folder: &'static str,
    /// File extension of an example.
    pub(crate) extension: &'static str,
    pub(crate) language: fn() -> tree_sitter::Language,
    /// What starts a comment to the end of the line.
    pub(crate) line_comments: &'static [&'static str],
    /// What opens and closes a comment.
    pub(crate) block_comments: &'static [(&'static str, &'static str)],
    /// What opens and closes a literal that can run over lines.
    pub(crate) long_literals: &'static [(&'static str, &'static str)],
    /// The character that stands for `$` in a pattern because the grammar takes it for a letter.
    pub(crate) expando: char,
    pub(crate) blocks: Blocks,
    /// Headers that can enclose a piece of text, outermost first; the last one may repeat.
    pub(crate) ladders: &'static [&'static [&'static str]],
    /// Contexts inside a statement: what opens and closes them.
    pub(crate) inner: &'static [(&'static str, &'static str)],
    /// A function without a name, up to and with its opening brace.
    pub(crate) lambda: &'static str,
    pub(crate) roles: &'static [(Role, &'static [&'static str])],
}
