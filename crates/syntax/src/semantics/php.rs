//! Names and expressions of PHP.

pub mod calls;
pub mod query;
pub mod types;
