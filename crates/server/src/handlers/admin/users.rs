//! All users of the service.

pub(crate) mod list;
