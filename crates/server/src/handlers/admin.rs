//! What operators see and change, across all organizations.

pub(crate) mod organizations;
pub(crate) mod users;
