//! Where in the lines of a diff something is.

use serde::{Deserialize, Serialize};

use crate::diff::Side;

/// A piece of code that begins on the line of a candidate and ends on the same side of the same hunk. Columns count the
/// Unicode scalar values of a line of the diff, without its marker, from 1; a tab is one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The column that it begins in.
    pub start_column: u32,
    /// The line that it ends on.
    pub end_line: u32,
    /// The column behind its last character.
    pub end_column: u32,
}

/// A line of a side of a file of the diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// Index of the file in the diff.
    pub file: usize,
    /// The side that `line` counts on.
    pub side: Side,
    /// Line number on that side, from 1.
    pub line: u32,
}
