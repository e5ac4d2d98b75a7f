//! Positions in the lines of a diff.

use serde::{Deserialize, Serialize};

use crate::diff::Side;

/// A range of code from a candidate's line to a line of the same side of the same hunk. Columns are counted from 1 in
/// Unicode scalar values of the diff line without its marker; a tab counts as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The first column.
    pub start_column: u32,
    /// The last line.
    pub end_line: u32,
    /// The column after the last character.
    pub end_column: u32,
}

/// Text that replaces a range of code on the new side, from a line to a line of the same hunk. Columns are as in
/// [`Span`].
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Replacement {
    /// The first line.
    pub line: u32,
    /// The rest of the range.
    pub span: Span,
    /// The new text; lines end with a line feed.
    pub text: String,
}

/// The offset in bytes of a column of a line, which is at most the one after its last character.
#[must_use]
pub fn byte_offset(line: &str, column: u32) -> Option<usize> {
    let before = usize::try_from(column).ok()?.checked_sub(1)?;
    line.char_indices()
        .map(|(at, _)| at)
        .chain([line.len()])
        .nth(before)
}

/// A line on one side of a file of the diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Index of the file in the diff.
    pub file: usize,
    /// The side that `line` refers to.
    pub side: Side,
    /// Line number on that side, from 1.
    pub line: u32,
}

#[cfg(test)]
mod tests {
    use super::byte_offset;

    #[test]
    fn columns_are_characters_from_one() {
        assert_eq!(
            [0, 1, 2, 3, 4].map(|column| byte_offset("é=", column)),
            [None, Some(0), Some(2), Some(3), None]
        );
    }
}
