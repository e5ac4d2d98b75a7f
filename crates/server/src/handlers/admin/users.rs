//! Users, whatever they belong to.

pub(crate) mod list;
