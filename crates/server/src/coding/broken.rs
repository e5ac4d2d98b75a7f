//! Why a body cannot be decoded.

/// The body is not in its coding, or broke off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;
