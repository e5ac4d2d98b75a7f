//! The buckets that replicas on one PostgreSQL share.
//!
//! A replica does not ask the database for each request: it takes as many as the holder, a token or a user, used lately, up to
//! 2 % of the limit, and uses them within a second. What it did not use it puts back with the next question, if that comes soon.
//! So a busy one costs a statement for many requests, and a slow one never more than one each.
//!
//! The limit holds however many replicas there are: what one has taken and not used is at most [`KEEP`] old, so all of
//! them together are at most what the bucket gets back in that time beyond it, 4 % of the limit a minute.

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

/// A replica takes at most one part in so many of the limit.
const SHARE: u32 = 50;
/// How long what was taken may be used.
const USE: Duration = Duration::from_secs(1);
/// How long what was not used may be put back.
const KEEP: Duration = Duration::from_millis(2_400);
/// How long a request waits for its holder's count, others before it included.
const PATIENCE: Duration = Duration::from_secs(5);
/// After so many requests the buckets that mean nothing any more are dropped, so that memory follows the holders in use.
const SWEEP_EVERY: u32 = 4_096;

/// See the module.
pub(super) struct SharedRateLimiter<H: Holder + Display> {
    limits: SharedLimits,
    rate: RequestRate,
    clock: Clock,
    /// The lock of a bucket is held while the database is asked, so that of many requests one asks for all.
    buckets: Mutex<HashMap<H, Arc<tokio::sync::Mutex<Bucket>>>>,
    since_sweep: AtomicU32,
}

/// What this replica has of a holder's bucket.
#[derive(Debug, Default)]
struct Bucket {
    /// Taken and not used yet.
    held: u32,
    /// How many were taken, and when.
    taken: u32,
    taken_at: Duration,
    /// Until the bucket is full, as it was then.
    until_full: Duration,
    /// The database has nothing for this holder before.
    closed_until: Duration,
}

impl<H: Holder + Display> SharedRateLimiter<H> {
    pub(super) fn new(per_minute: NonZeroU32, clock: Clock, limits: SharedLimits) -> Self {
        let rate = RequestRate { requests: per_minute.get(), per: Duration::from_secs(60) };
        Self { limits, rate, clock, buckets: Mutex::default(), since_sweep: AtomicU32::new(0) }
    }

    pub(super) async fn count(&self, holder: H) -> Result<(Allowance, Result<(), Problem>), Problem> {
        let bucket = self.bucket(holder);
        let count = async {
            let mut bucket = bucket.lock().await;
            let allowed = bucket.spend(self.clock.monotonic()) || self.refill(holder, &mut bucket).await?;
            Ok::<_, Problem>(bucket.tell::<H>(allowed, self.rate, self.clock.monotonic()))
        };
        let late = |_| Problem::not_ready(&std::io::Error::from(std::io::ErrorKind::TimedOut));
        tokio::time::timeout(PATIENCE, count).await.map_err(late)?
    }

    /// Asks the database for more, unless it said not long ago that there is none, and spends one; `false` when it has
    /// none.
    async fn refill(&self, holder: H, bucket: &mut Bucket) -> Result<bool, Problem> {
        let now = self.clock.monotonic();
        if now < bucket.closed_until {
            return Ok(false);
        }
        let (wanted, back) = bucket.next_question(now, (self.rate.requests / SHARE).max(1));
        // Should nobody wait for the answer any more, what it grants is lost, and nothing is put back twice.
        bucket.held = 0;
        let answer = self.limits.take_requests(holder, self.rate, wanted, back).await?;
        Ok(bucket.learn(answer, now, self.clock.monotonic(), self.rate))
    }

    fn bucket(&self, holder: H) -> Arc<tokio::sync::Mutex<Bucket>> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if self.since_sweep.fetch_add(1, Ordering::Relaxed) >= SWEEP_EVERY {
            self.since_sweep.store(0, Ordering::Relaxed);
            let now = self.clock.monotonic();
            buckets.retain(|_, bucket| bucket.try_lock().map_or(true, |bucket| !bucket.is_idle(now)));
        }
        Arc::clone(buckets.entry(holder).or_default())
    }
}

impl Bucket {
    /// Uses one of those that are held, if there are any that are not too old.
    fn spend(&mut self, now: Duration) -> bool {
        let usable = self.held > 0 && now.saturating_sub(self.taken_at) < USE;
        self.held -= u32::from(usable);
        usable
    }

    /// How many to ask for, and how many to put back.
    fn next_question(&self, now: Duration, most: u32) -> (u32, u32) {
        let age = now.saturating_sub(self.taken_at);
        if age > KEEP {
            (1, 0)
        } else if self.held == 0 && age < USE {
            (self.taken.saturating_mul(2).clamp(1, most), 0)
        } else {
            ((self.taken - self.held.min(self.taken)).clamp(1, most), self.held)
        }
    }

    /// Takes in what the database said, and spends one of what it gave; `false` when it gave none. What was taken is as old
    /// as the question, what is to come as young as the answer.
    fn learn(&mut self, answer: GrantedRequests, asked_at: Duration, answered_at: Duration, rate: RequestRate) -> bool {
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

    /// What the holder has left: what the bucket had when it was last asked, what came back since, and what is held.
    fn tell<H: Holder + Display>(
        &self,
        allowed: bool,
        rate: RequestRate,
        now: Duration,
    ) -> (Allowance, Result<(), Problem>) {
        if !allowed {
            return Allowance::none::<H>(
                rate.requests,
                self.closed_until.saturating_sub(now).max(Duration::from_nanos(1)),
            );
        }
        let missing = self.until_full.saturating_sub(now.saturating_sub(self.taken_at)).as_nanos();
        let missing = u32::try_from(missing.div_ceil(rate.interval().as_nanos().max(1))).unwrap_or(u32::MAX);
        let remaining = rate.requests.saturating_sub(missing).saturating_add(self.held).min(rate.requests);
        (Allowance::left::<H>(rate.requests, remaining), Ok(()))
    }

    fn is_idle(&self, now: Duration) -> bool {
        now.saturating_sub(self.taken_at) > KEEP && now >= self.closed_until
    }
}

#[cfg(test)]
mod tests;
