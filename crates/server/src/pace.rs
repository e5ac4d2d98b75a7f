//! How many requests a token may make: a bucket per token that refills steadily (GCRA).
//!
//! The header fields are those of draft-ietf-httpapi-ratelimit-headers-10.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};
use store::TokenId;

use crate::Clock;
use crate::error::{Code, Problem};

/// After so many requests the buckets that are full again are dropped, so that memory follows the tokens in use.
const SWEEP_EVERY: u32 = 4_096;

type Buckets = RateLimiter<TokenId, DefaultKeyedStateStore<TokenId>, Clock, StateInformationMiddleware>;

/// Counts the requests of every token.
pub(crate) struct Pace {
    buckets: Buckets,
    per_minute: NonZeroU32,
    since_sweep: AtomicU32,
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
    pub(crate) fn new(per_minute: u32, clock: Clock) -> Self {
        let per_minute = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
        let buckets = RateLimiter::new(Quota::per_minute(per_minute), DefaultKeyedStateStore::default(), clock);
        Self { buckets, per_minute, since_sweep: AtomicU32::new(0) }
    }

    /// Counts one request.
    ///
    /// # Errors
    /// What is left (nothing) and the refusal, when the bucket is empty.
    pub(crate) fn count(&self, token: TokenId) -> Result<Allowance, (Allowance, Problem)> {
        self.sweep();
        let per_minute = self.per_minute.get();
        match self.buckets.check_key(&token) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                let missing = u64::from(per_minute.saturating_sub(remaining));
                Ok(Allowance { per_minute, remaining, reset_seconds: (missing * 60).div_ceil(u64::from(per_minute)) })
            }
            Err(until) => {
                let seconds = whole_seconds(until.wait_time_from(self.buckets.clock().monotonic()));
                let detail = format!("The token has used up its {per_minute} requests a minute.");
                let allowance = Allowance { per_minute, remaining: 0, reset_seconds: seconds };
                Err((allowance, Problem::new(Code::RateLimited, detail).retry_after(seconds)))
            }
        }
    }

    fn sweep(&self) {
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            self.buckets.retain_recent();
        }
    }
}

impl Allowance {
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

impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.monotonic()
    }
}

/// Rounds up, because a client that comes back too early is refused again.
fn whole_seconds(duration: Duration) -> u64 {
    duration.as_secs() + u64::from(duration.subsec_nanos() > 0)
}
