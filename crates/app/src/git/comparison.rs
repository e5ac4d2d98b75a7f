//! A change, as git is asked for it.

use std::ffi::OsString;

/// Where a side of a change is.
#[derive(Debug, Clone)]
pub(super) enum Place {
    WorkingTree,
    Index,
    Commit(String),
}

/// A change, as git is asked for it.
#[derive(Debug)]
pub(super) struct Comparison {
    /// Arguments that keep git from running programs of the repository.
    pub(super) harmless: Vec<OsString>,
    /// Arguments that name the change.
    pub(super) range: Vec<String>,
    pub(super) old: Place,
    pub(super) new: Place,
}
