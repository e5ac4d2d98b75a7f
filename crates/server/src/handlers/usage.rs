//! Usage of an organization.

pub(crate) mod show;
