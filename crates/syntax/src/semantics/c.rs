//! What names and expressions are in C and C++.

pub(crate) mod flow;
pub(crate) mod types;
