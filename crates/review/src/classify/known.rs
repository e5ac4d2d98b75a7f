//! The known part of a changed file: its hunks, or all of its lines.

use crate::diff::{FileDiff, Line, LineKind, Side};
use crate::whole_file::starts_file;

/// A changed file, with all of its lines if they are known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Known<'a, 'k> {
    pub(crate) file: &'k FileDiff<'a>,
    /// All lines of both sides.
    pub(crate) whole: Option<&'k [Line<'a>]>,
}

impl<'a, 'k> Known<'a, 'k> {
    /// The known lines of a side, in order.
    pub(crate) fn side(&self, side: Side) -> impl Iterator<Item = Line<'a>> + use<'a, 'k> {
        let other = match side {
            Side::Old => LineKind::Added,
            Side::New => LineKind::Removed,
        };
        let (whole, hunks) = match self.whole {
            Some(whole) => (whole, &[][..]),
            None => (&[][..], self.file.hunks.as_slice()),
        };
        let hunks = hunks.iter().flat_map(|hunk| &hunk.lines);
        whole
            .iter()
            .chain(hunks)
            .filter(move |line| line.kind != other)
            .copied()
    }

    /// Whether the first line of the file is known.
    pub(super) fn shows_start(&self) -> bool {
        self.whole.is_some() || self.file.hunks.first().is_some_and(starts_file)
    }
}
