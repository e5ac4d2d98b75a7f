//! The completion of a fragment.

/// The text added before and after the fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Context {
    pub(crate) before: String,
    pub(crate) after: String,
}
