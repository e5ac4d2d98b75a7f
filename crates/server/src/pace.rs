//! How many requests a token may make: a bucket per token that refills steadily (GCRA). A process that is alone keeps the
//! buckets in memory; replicas on one PostgreSQL keep them there, together.
//!
//! The header fields are those of draft-ietf-httpapi-ratelimit-headers-10.

mod local;
mod shared;

use std::num::NonZeroU32;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use store::{SharedLimits, TokenId};

use crate::Clock;
use crate::error::{Code, Problem};
use local::LocalPace;
use shared::SharedPace;

/// Counts the requests of every token.
pub(crate) enum Pace {
    Local(LocalPace),
    Shared(SharedPace),
}

/// What a token has left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Allowance {
    per_minute: u32,
    remaining: u32,
    /// Seconds until the bucket is full again, or until the next request is allowed when nothing remains.
    reset_seconds: u64,
}

impl Pace {
    /// Allows each token so many requests a minute, all at once if it likes.
    pub(crate) fn new(per_minute: u32, clock: Clock, shared: Option<SharedLimits>) -> Self {
        let per_minute = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
        match shared {
            None => Self::Local(LocalPace::new(per_minute, clock)),
            Some(shared) => Self::Shared(SharedPace::new(per_minute, clock, shared)),
        }
    }

    /// Counts one request. Says what is left, and whether the request may go on.
    ///
    /// # Errors
    /// The count itself was not possible.
    pub(crate) async fn count(&self, token: TokenId) -> Result<(Allowance, Result<(), Problem>), Problem> {
        match self {
            Self::Local(pace) => Ok(pace.count(token)),
            Self::Shared(pace) => Box::pin(pace.count(token)).await,
        }
    }
}

impl Allowance {
    /// With so many requests left.
    fn left(per_minute: u32, remaining: u32) -> Self {
        let missing = u64::from(per_minute.saturating_sub(remaining));
        Self { per_minute, remaining, reset_seconds: (missing * 60).div_ceil(u64::from(per_minute.max(1))) }
    }

    /// With nothing left until then, and the refusal that says so.
    fn none(per_minute: u32, until: Duration) -> (Self, Result<(), Problem>) {
        let seconds = whole_seconds(until);
        let detail = format!("The token has used up its {per_minute} requests a minute.");
        let refusal = Problem::new(Code::RateLimited, detail).retry_after(seconds);
        (Self { per_minute, remaining: 0, reset_seconds: seconds }, Err(refusal))
    }

    /// Adds the header fields `RateLimit-Policy` and `RateLimit`.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let policy = format!("\"token\";q={};w=60", self.per_minute);
        let limit = format!("\"token\";r={};t={}", self.remaining, self.reset_seconds);
        for (name, value) in [("ratelimit-policy", policy), ("ratelimit", limit)] {
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(HeaderName::from_static(name), value);
            }
        }
    }
}

/// Rounds up, because a client that comes back too early is refused again.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
