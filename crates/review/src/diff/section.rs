//! The section of a diff about one file.

/// Common properties of a file's hunks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    /// Every line of the section ends in CRLF.
    pub(super) crlf: bool,
    /// The hunks are those of a merge (`@@@`).
    pub(super) combined: bool,
    /// The merge is condensed (`--cc`): git omits removed context lines that only show that one parent was taken, but counts
    /// them in the hunk header.
    pub(super) abridged: bool,
}
