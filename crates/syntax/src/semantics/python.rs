//! What names and expressions are in Python.

pub mod types;
