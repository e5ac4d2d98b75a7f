//! A run of removed and added lines.

/// A run of removed and added lines without an unchanged one between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditBlock {
    /// Removed lines that say something.
    pub removed: usize,
    /// Added lines that say something.
    pub added: usize,
}

/// Whether a line holds more than brackets and white space.
pub(super) fn says_something(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
