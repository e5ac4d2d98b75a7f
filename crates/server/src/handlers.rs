//! The operations, one file each: documentation, refusals, input, handler.

pub(crate) mod admin;
pub(crate) mod audit_events;
pub(crate) mod entitlements;
pub(crate) mod invitations;
pub(crate) mod mcp;
pub(crate) mod members;
pub(crate) mod organizations;
pub(crate) mod review_guidelines;
pub(crate) mod reviews;
pub(crate) mod service;
pub(crate) mod tokens;
pub(crate) mod usage;
pub(crate) mod users;

use jiff::Timestamp;
use store::UnixMillis;

/// A time in API responses: RFC 3339 in UTC.
pub(crate) fn written(time: UnixMillis) -> String {
    Timestamp::from_millisecond(time.0)
        .unwrap_or_default()
        .to_string()
}
