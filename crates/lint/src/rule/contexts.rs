//! The input of rules.

use review::{Line, LineKind};

use crate::parse::{FileContext, Hunk};

/// The input of a node rule besides the node.
pub struct NodeContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    pub(crate) hunk: Hunk<'a>,
}

/// The input of a text rule.
pub struct TextContext<'a> {
    /// The file.
    pub file: FileContext<'a>,
    pub(crate) hunk: Hunk<'a>,
}

impl<'a> NodeContext<'a> {
    /// All lines of the hunk.
    #[must_use]
    pub fn lines(&self) -> &'a [Line<'a>] {
        self.hunk.lines
    }
}

impl<'a> TextContext<'a> {
    /// All lines of the hunk.
    #[must_use]
    pub fn lines(&self) -> &'a [Line<'a>] {
        self.hunk.lines
    }

    /// The added lines of the hunk.
    pub fn added(&self) -> impl Iterator<Item = &'a Line<'a>> {
        self.hunk.lines.iter().filter(|line| line.kind == LineKind::Added)
    }

    /// The removed lines of the hunk.
    pub fn removed(&self) -> impl Iterator<Item = &'a Line<'a>> {
        self.hunk.lines.iter().filter(|line| line.kind == LineKind::Removed)
    }
}
