//! What names and expressions are in Python.

pub(crate) mod types;
