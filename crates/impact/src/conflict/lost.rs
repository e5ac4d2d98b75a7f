//! A file or key that a change removes, and that other files may refer to by a string.

use crate::keys::LostKey;

/// A file or a key that a change removes.
#[derive(Debug, Clone, Copy)]
pub enum Lost<'a> {
    /// A file.
    File {
        /// Its path before the change.
        old: &'a str,
        /// Its path after the change, if it was renamed.
        new: Option<&'a str>,
    },
    /// A key.
    Key(&'a LostKey),
}
