//! What a finding rests on.

/// What a finding rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Evidence {
    /// On lines that are shown.
    Shown,
    /// On code that is not shown.
    Depends,
}
