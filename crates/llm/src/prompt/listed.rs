//! A finding in a list.

use review::Candidate;

use crate::redact::Masked;

/// A finding that a prompt lists.
pub(crate) struct Listed<'a> {
    pub(crate) candidate: &'a Candidate,
    pub(crate) summary: Masked<'a>,
    /// When it goes wrong, as its finder said.
    pub(crate) scenario: Option<Masked<'a>>,
    /// Finders that named it, of how many; `None` where only one looked.
    pub(crate) agreement: Option<(usize, usize)>,
    /// It rests on code that is not shown.
    pub(crate) depends: bool,
}
