//! What an organization used.

pub(crate) mod show;
