//! What names and expressions are in PHP.

pub(crate) mod calls;
pub(crate) mod query;
pub(crate) mod types;
