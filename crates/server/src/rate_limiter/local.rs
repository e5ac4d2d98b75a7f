//! The buckets of a process with its own database.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use super::{Allowance, Holder};
use crate::Clock;
use crate::error::Problem;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DefaultKeyedStateStore;
use governor::{Quota, RateLimiter};

/// Number of requests between two cleanups of full buckets, so that memory follows the holders in use.
const SWEEP_EVERY: u32 = 4_096;

type Buckets<H> = RateLimiter<H, DefaultKeyedStateStore<H>, Clock, StateInformationMiddleware>;

/// See the module.
pub(super) struct LocalRateLimiter<H: Holder> {
    buckets: Buckets<H>,
    per_minute: NonZeroU32,
    since_sweep: AtomicU32,
}

impl<H: Holder> LocalRateLimiter<H> {
    pub(super) fn new(per_minute: NonZeroU32, clock: Clock) -> Self {
        let buckets = RateLimiter::new(
            Quota::per_minute(per_minute),
            DefaultKeyedStateStore::default(),
            clock,
        );
        Self {
            buckets,
            per_minute,
            since_sweep: AtomicU32::new(0),
        }
    }

    pub(super) fn count(&self, holder: H) -> (Allowance, Result<(), Problem>) {
        self.sweep();
        let per_minute = self.per_minute.get();
        match self.buckets.check_key(&holder) {
            Ok(state) => (
                Allowance::left::<H>(per_minute, state.remaining_burst_capacity()),
                Ok(()),
            ),
            Err(until) => Allowance::none::<H>(
                per_minute,
                until.wait_time_from(self.buckets.clock().monotonic()),
            ),
        }
    }

    fn sweep(&self) {
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            self.buckets.retain_recent();
        }
    }
}

impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.monotonic()
    }
}
