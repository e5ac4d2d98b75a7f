//! What names and expressions are in C and C++.

pub mod flow;
pub mod types;
