//! The arguments of git for a change.

use std::ffi::OsString;

/// The location of a side of a change.
#[derive(Debug, Clone)]
pub(super) enum Place {
    WorkingTree,
    Index,
    Commit(String),
}

/// The arguments of git for a change.
#[derive(Debug)]
pub(super) struct Comparison {
    /// Arguments that keep git from running programs of the repository.
    pub(super) harmless: Vec<OsString>,
    /// Arguments that name the change.
    pub(super) range: Vec<String>,
    pub(super) old: Place,
    pub(super) new: Place,
}
