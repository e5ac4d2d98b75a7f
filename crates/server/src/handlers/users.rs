//! Users, as seen by themselves.

pub(crate) mod me;
