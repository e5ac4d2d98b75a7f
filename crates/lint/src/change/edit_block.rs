//! A run of removed and added lines.

/// A run of removed and added lines without an unchanged line between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EditBlock {
    /// Removed lines with content.
    pub removed: usize,
    /// Added lines with content.
    pub added: usize,
}

/// Whether a line contains more than brackets and white space.
pub(super) fn has_content(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}
