//! Names and expressions of Python.

pub mod types;
