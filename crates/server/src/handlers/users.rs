//! Users, as they see themselves.

pub(crate) mod me;
