//! The operations, one file each: what the document says of it, its refusals, its input, the handler.

pub(crate) mod members;
pub(crate) mod organizations;
pub(crate) mod review_guidelines;
pub(crate) mod reviews;
pub(crate) mod service;
pub(crate) mod tokens;
pub(crate) mod users;
