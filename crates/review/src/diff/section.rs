//! The part of a diff that is about one file.

/// What all hunks of a file have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Section {
    /// Every line of the section ends in CRLF.
    pub(super) crlf: bool,
    /// The hunks are those of a merge (`@@@`).
    pub(super) combined: bool,
    /// The merge is abridged (`--cc`): git leaves removed lines out of the context of a hunk when all that they show
    /// is that one parent was taken, but counts them in the hunk header.
    pub(super) abridged: bool,
}
