//! The buckets that replicas on one PostgreSQL share.
//!
//! A replica does not query the database for each request: it takes as many requests as the holder (a token or a
//! user) used recently, up to 2 % of the limit, and uses them within a second. It returns unused ones with its next
//! query, if that comes soon. So a busy holder costs one statement for many requests, and a slow one never more than
//! one each.
//!
//! The limit holds for any number of replicas: the requests that a replica has taken and not used are at most
//! [`KEEP`] old, so all replicas together exceed the bucket by at most its refill in that time, 4 % of the limit a
//! minute.

use std::collections::HashMap;
use std::fmt::Display;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use store::{GrantedRequests, RequestRate, SharedLimits};

use super::{Allowance, Holder};
use crate::Clock;
use crate::error::Problem;

/// A replica takes at most this fraction of the limit (1/n).
const SHARE: u32 = 50;
/// How long taken requests may be used.
const USE: Duration = Duration::from_secs(1);
/// How long unused requests may be returned.
const KEEP: Duration = Duration::from_millis(2_400);
/// How long a request waits for its holder's count, including earlier requests of the holder.
const PATIENCE: Duration = Duration::from_secs(5);
/// Number of requests between two cleanups of obsolete buckets, so that memory follows the holders in use.
const SWEEP_EVERY: u32 = 4_096;

/// See the module.
pub(super) struct SharedRateLimiter<H: Holder + Display> {
    limits: SharedLimits,
    rate: RequestRate,
    clock: Clock,
    /// A bucket is locked during a query, so that one of many requests queries for all.
    buckets: Mutex<HashMap<H, Arc<tokio::sync::Mutex<Bucket>>>>,
    since_sweep: AtomicU32,
}

/// This replica's part of a holder's bucket.
#[derive(Debug, Default)]
struct Bucket {
    /// Taken and not used yet.
    held: u32,
    /// The number last taken, and the time.
    taken: u32,
    taken_at: Duration,
    /// The time until the bucket is full, as of the last query.
    until_full: Duration,
    /// The database has no requests for this holder before this time.
    closed_until: Duration,
}

impl<H: Holder + Display> SharedRateLimiter<H> {
    pub(super) fn new(per_minute: NonZeroU32, clock: Clock, limits: SharedLimits) -> Self {
        let rate = RequestRate {
            requests: per_minute.get(),
            per: Duration::from_secs(60),
        };
        Self {
            limits,
            rate,
            clock,
            buckets: Mutex::default(),
            since_sweep: AtomicU32::new(0),
        }
    }

    pub(super) async fn count(
        &self,
        holder: H,
    ) -> Result<(Allowance, Result<(), Problem>), Problem> {
        let bucket = self.bucket(holder);
        let count = async {
            let mut bucket = bucket.lock().await;
            let allowed =
                bucket.spend(self.clock.monotonic()) || self.refill(holder, &mut bucket).await?;
            Ok::<_, Problem>(bucket.report::<H>(allowed, self.rate, self.clock.monotonic()))
        };
        let late = |_| Problem::not_ready(&std::io::Error::from(std::io::ErrorKind::TimedOut));
        tokio::time::timeout(PATIENCE, count).await.map_err(late)?
    }

    /// Queries the database for more requests, unless it reported recently that there are none, and spends one;
    /// `false` if there are none.
    async fn refill(&self, holder: H, bucket: &mut Bucket) -> Result<bool, Problem> {
        let now = self.clock.monotonic();
        if now < bucket.closed_until {
            return Ok(false);
        }
        let (wanted, back) = bucket.next_question(now, (self.rate.requests / SHARE).max(1));
        // If the caller is gone before the response, the granted requests are lost, and nothing is returned twice.
        bucket.held = 0;
        let answer = self
            .limits
            .take_requests(holder, self.rate, wanted, back)
            .await?;
        Ok(bucket.learn(answer, now, self.clock.monotonic(), self.rate))
    }

    fn bucket(&self, holder: H) -> Arc<tokio::sync::Mutex<Bucket>> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            let now = self.clock.monotonic();
            buckets.retain(|_, bucket| {
                bucket
                    .try_lock()
                    .map_or(true, |bucket| !bucket.is_idle(now))
            });
        }
        Arc::clone(buckets.entry(holder).or_default())
    }
}

impl Bucket {
    /// Spends one of the requests held, if they are not too old.
    fn spend(&mut self, now: Duration) -> bool {
        let usable = self.held > 0 && now.saturating_sub(self.taken_at) < USE;
        self.held -= u32::from(usable);
        usable
    }

    /// How many requests to take, and how many to return.
    fn next_question(&self, now: Duration, most: u32) -> (u32, u32) {
        let age = now.saturating_sub(self.taken_at);
        if age > KEEP {
            (1, 0)
        } else if self.held == 0 && age < USE {
            (self.taken.saturating_mul(2).clamp(1, most), 0)
        } else {
            (
                (self.taken - self.held.min(self.taken)).clamp(1, most),
                self.held,
            )
        }
    }

    /// Records the database's response and spends one of the granted requests; `false` if there are none. Granted
    /// requests are as old as the query, and refills are counted from the response.
    fn learn(
        &mut self,
        answer: GrantedRequests,
        asked_at: Duration,
        answered_at: Duration,
        rate: RequestRate,
    ) -> bool {
        self.taken = answer.granted;
        self.taken_at = asked_at;
        self.until_full = answer.until_full;
        self.held = answer.granted.saturating_sub(1);
        if answer.granted == 0 {
            let since_last = rate.window().saturating_sub(answer.until_full);
            self.closed_until = answered_at + rate.interval().saturating_sub(since_last);
        }
        answer.granted > 0
    }

    /// The holder's remaining requests: those in the bucket at the last query, those refilled since, and those held.
    fn report<H: Holder + Display>(
        &self,
        allowed: bool,
        rate: RequestRate,
        now: Duration,
    ) -> (Allowance, Result<(), Problem>) {
        if !allowed {
            return Allowance::none::<H>(
                rate.requests,
                self.closed_until
                    .saturating_sub(now)
                    .max(Duration::from_nanos(1)),
            );
        }
        let missing = self
            .until_full
            .saturating_sub(now.saturating_sub(self.taken_at))
            .as_nanos();
        let missing =
            u32::try_from(missing.div_ceil(rate.interval().as_nanos().max(1))).unwrap_or(u32::MAX);
        let remaining = rate
            .requests
            .saturating_sub(missing)
            .saturating_add(self.held)
            .min(rate.requests);
        (Allowance::left::<H>(rate.requests, remaining), Ok(()))
    }

    fn is_idle(&self, now: Duration) -> bool {
        now.saturating_sub(self.taken_at) > KEEP && now >= self.closed_until
    }
}

#[cfg(test)]
mod tests;
