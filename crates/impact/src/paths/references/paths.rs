//! The paths that a change removes, and those that remain.

use std::collections::HashSet;

use crate::paths::modules::{folder, last, root_of};

/// A file that the change removes or renames.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gone<'c> {
    /// Its index in the diff.
    pub(crate) file: usize,
    /// Its path before the change.
    pub(crate) old: &'c str,
    /// Its path after the change, if it was renamed.
    pub(crate) new: Option<&'c str>,
}

impl<'c> Gone<'c> {
    /// The word that each reference to the file contains.
    pub(crate) fn word(&self) -> &'c str {
        let stem = stem_of(self.old);
        let stem = match stem {
            "index" | "__init__" | "mod" => last(folder(self.old)),
            stem => stem,
        };
        stem.trim_start_matches('_')
    }
}

fn stem_of(path: &str) -> &str {
    last(path).split('.').next().unwrap_or_default()
}

/// The files of a repository after the change.
pub(crate) struct Remaining<'p>(pub(crate) HashSet<&'p str>);

impl Remaining<'_> {
    pub(crate) fn has(&self, path: &str) -> bool {
        self.0.contains(path)
    }

    /// Whether a path ends with these parts.
    pub(crate) fn has_end(&self, end: &str) -> bool {
        self.0.iter().any(|path| root_of(path, end).is_some())
    }

    pub(crate) fn has_any(&self, is_one: impl Fn(&str) -> bool) -> bool {
        self.0.iter().any(|path| is_one(path))
    }
}
