//! What names and expressions are in PHP.

pub mod calls;
pub mod query;
pub mod types;
