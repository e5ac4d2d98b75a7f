//! The input of rules.

use review::{Line, LineKind};
use syntax::parse::{FileContext, Hunk};

/// The input of a node rule, in addition to the node.
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
        self.hunk
            .lines
            .iter()
            .filter(|line| line.kind == LineKind::Added)
    }

    /// The removed lines of the hunk.
    pub fn removed(&self) -> impl Iterator<Item = &'a Line<'a>> {
        self.hunk
            .lines
            .iter()
            .filter(|line| line.kind == LineKind::Removed)
    }
}

/// The bytes of white space at the start of a line.
pub fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Removed and added lines without an unchanged line between them.
pub struct Edit<'a> {
    /// The removed lines.
    pub removed: Vec<&'a Line<'a>>,
    /// The added lines.
    pub added: Vec<&'a Line<'a>>,
}

impl<'a> TextContext<'a> {
    /// The edit blocks of the hunk.
    #[must_use]
    pub fn edits(&self) -> Vec<Edit<'a>> {
        let parts = self
            .hunk
            .lines
            .chunk_by(|a, b| (a.kind == LineKind::Context) == (b.kind == LineKind::Context));
        let of = |part: &'a [Line<'a>], kind| {
            part.iter()
                .filter(|line| line.kind == kind)
                .collect::<Vec<_>>()
        };
        let edits = parts.map(|part| Edit {
            removed: of(part, LineKind::Removed),
            added: of(part, LineKind::Added),
        });
        edits
            .filter(|edit| !(edit.removed.is_empty() && edit.added.is_empty()))
            .collect()
    }
}
