//! The error for a body that cannot be decoded.

/// The body is malformed or truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;
