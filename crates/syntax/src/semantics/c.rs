//! Names and expressions of C and C++.

pub mod flow;
pub mod types;
