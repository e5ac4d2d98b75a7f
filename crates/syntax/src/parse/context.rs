//! The completion of a fragment.

/// The text added before and after the fragment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The text before it.
    pub before: String,
    /// The text after it.
    pub after: String,
}
