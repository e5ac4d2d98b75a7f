//! The remaining requests of a caller, and the header fields that report them.
//!
//! The header fields are those of draft-ietf-httpapi-ratelimit-headers-10.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};

use super::Holder;
use crate::error::{Code, Problem};

/// The remaining requests of a token or its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Allowance {
    policy: &'static str,
    per_minute: u32,
    pub(super) remaining: u32,
    /// Seconds until the bucket is full again, or until the next request is allowed if none remains.
    pub(super) reset_seconds: u64,
}

impl Allowance {
    /// An allowed request, with this number of requests left.
    pub(super) fn left<H: Holder>(per_minute: u32, remaining: u32) -> Self {
        let missing = u64::from(per_minute.saturating_sub(remaining));
        let reset_seconds = (missing * 60).div_ceil(u64::from(per_minute.max(1)));
        Self {
            policy: H::POLICY,
            per_minute,
            remaining,
            reset_seconds,
        }
    }

    /// A refused request, with the time until the next one is allowed.
    pub(super) fn none<H: Holder>(per_minute: u32, until: Duration) -> (Self, Result<(), Problem>) {
        let reset_seconds = whole_seconds(until);
        let detail = format!("{} {per_minute} requests a minute.", H::WHOSE);
        let refusal = Problem::new(Code::RateLimited, detail).retry_after(reset_seconds);
        (
            Self {
                policy: H::POLICY,
                per_minute,
                remaining: 0,
                reset_seconds,
            },
            Err(refusal),
        )
    }

    /// Adds the header fields `RateLimit-Policy` and `RateLimit`.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let policy = format!("\"{}\";q={};w=60", self.policy, self.per_minute);
        let limit = format!(
            "\"{}\";r={};t={}",
            self.policy, self.remaining, self.reset_seconds
        );
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", limit)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}

/// Rounds up, because a client that retries too early is refused again.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
