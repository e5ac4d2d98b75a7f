//! Types on the wire: small frozen structs, one file per resource. Inner types never appear in them.

pub(crate) mod admin;
pub(crate) mod audit_event;
pub(crate) mod entitlement;
pub(crate) mod health;
pub(crate) mod invitation;
pub(crate) mod limits;
pub(crate) mod mcp;
pub(crate) mod member;
pub(crate) mod organization;
pub(crate) mod problem;
pub(crate) mod resource_metadata;
pub(crate) mod review;
pub(crate) mod review_guidelines;
pub(crate) mod token;
pub(crate) mod usage;
pub(crate) mod user;
