//! How a piece of a file is completed.

/// What is put before and after the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Context {
    pub(crate) before: String,
    pub(crate) after: String,
}
