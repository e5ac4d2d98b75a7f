//! The service's own documentation and status.

pub(crate) mod docs;
pub(crate) mod health;
pub(crate) mod limits;
pub(crate) mod openapi;
pub(crate) mod rules;
