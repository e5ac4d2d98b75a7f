//! Operations for operators, across all organizations.

pub(crate) mod organizations;
pub(crate) mod users;
