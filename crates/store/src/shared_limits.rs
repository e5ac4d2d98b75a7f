//! Limits that replicas on one PostgreSQL share: requests per token and user, and concurrent reviews per organization.
//!
//! Every statement touches one row by its key and uses only the database's clock. There are no session locks and no
//! sequences, so a distributed database works too. SQLite serves one process, which keeps these limits in memory.
//!
//! The review slots of an organization are numbered up to its limit. A slot in use is a row with a lease, and the primary key allows one
//! holder for each number.

use std::{
    collections::BTreeSet,
    fmt::{Display, Write as _},
    time::Duration,
};

use crate::db::{Db, TimeoutPool, statements};
use crate::error::StoreError;
use crate::ids::{OrganizationId, random_bytes};
use crate::store::Store;

/// Lifetime of a review slot that is not renewed. The statements contain the same value in milliseconds.
pub const REVIEW_SLOT_LIFE: Duration = Duration::from_secs(30);

statements! {
    /// A bucket is stored as the time at which it is full again. A request moves that time by its refill interval
    /// ($4), at most to the window ($5) from now. $2 requests are wanted, and unused ones worth $3 nanoseconds are
    /// returned. After a clock was set back, the bucket is empty rather than blocked. `token_id` can also be a user's
    /// ID: IDs of different types differ.
    TAKE_REQUESTS = "INSERT INTO request_buckets (token_id, full_at, granted, asked_at) \
        VALUES ($1, \
            CAST(EXTRACT(EPOCH FROM now()) * 1000000000 AS BIGINT) + CAST($2 AS BIGINT) * CAST($4 AS BIGINT), \
            CAST($2 AS BIGINT), CAST(EXTRACT(EPOCH FROM now()) * 1000000000 AS BIGINT)) \
        ON CONFLICT (token_id) DO UPDATE SET \
        full_at = LEAST(GREATEST(request_buckets.full_at - CAST($3 AS BIGINT), excluded.asked_at), \
                excluded.asked_at + CAST($5 AS BIGINT)) \
            + CAST($4 AS BIGINT) * LEAST(excluded.granted, CAST(DIV(excluded.asked_at + CAST($5 AS BIGINT) \
                - LEAST(GREATEST(request_buckets.full_at - CAST($3 AS BIGINT), excluded.asked_at), \
                    excluded.asked_at + CAST($5 AS BIGINT)), CAST($4 AS BIGINT)) AS BIGINT)), \
        granted = LEAST(excluded.granted, CAST(DIV(excluded.asked_at + CAST($5 AS BIGINT) \
                - LEAST(GREATEST(request_buckets.full_at - CAST($3 AS BIGINT), excluded.asked_at), \
                    excluded.asked_at + CAST($5 AS BIGINT)), CAST($4 AS BIGINT)) AS BIGINT)), \
        asked_at = excluded.asked_at \
        RETURNING granted, full_at - asked_at";
    DELETE_IDLE_BUCKETS = "DELETE FROM request_buckets \
        WHERE full_at < CAST(EXTRACT(EPOCH FROM now()) * 1000000000 AS BIGINT) - 3600000000000";

    /// Slots held beyond their maximum time date from before the clock was set back.
    LIST_HELD_SLOTS = "SELECT slot FROM review_slots WHERE organization_id = $1 \
        AND held_until > CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) \
        AND held_until <= CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) + 60000";
    /// Changes no row when the slot is held, so one of many concurrent callers gets it.
    TAKE_SLOT = "INSERT INTO review_slots (organization_id, slot, lease, held_until) \
        VALUES ($1, $2, $3, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) + 30000) \
        ON CONFLICT (organization_id, slot) DO UPDATE SET lease = excluded.lease, held_until = excluded.held_until \
        WHERE review_slots.held_until <= excluded.held_until - 30000 \
        OR review_slots.held_until > excluded.held_until + 30000";
    RENEW_SLOT = "UPDATE review_slots SET held_until = CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) + 30000 \
        WHERE organization_id = $1 AND slot = $2 AND lease = $3";
    RELEASE_SLOT = "DELETE FROM review_slots WHERE organization_id = $1 AND slot = $2 AND lease = $3";
    DELETE_EXPIRED_SLOTS = "DELETE FROM review_slots \
        WHERE held_until < CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) - 3600000";
}

/// The limits that replicas on one PostgreSQL share. Clones are equivalent.
#[derive(Debug, Clone)]
pub struct SharedLimits {
    pool: TimeoutPool,
}

/// The capacity of a bucket that refills steadily.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestRate {
    /// Requests in a full bucket.
    pub requests: u32,
    /// The time in which an empty bucket refills.
    pub per: Duration,
}

/// Requests granted to a token or a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantedRequests {
    /// Their number, which may be less than wanted, or zero.
    pub granted: u32,
    /// Time until the bucket is full again.
    pub until_full: Duration,
}

/// The right to run one review of an organization, until it is released or expires.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewSlot {
    organization: OrganizationId,
    slot: i64,
    lease: String,
}

impl RequestRate {
    /// The refill time of one request, at least a nanosecond.
    #[must_use]
    pub fn interval(self) -> Duration {
        (self.per / self.requests.max(1)).max(Duration::from_nanos(1))
    }

    /// The exact refill time of an empty bucket: a whole number of intervals.
    #[must_use]
    pub fn window(self) -> Duration {
        self.interval() * self.requests.max(1)
    }
}

impl Store {
    /// The limits shared with other replicas; `None` on SQLite.
    #[must_use]
    pub fn shared_limits(&self) -> Option<SharedLimits> {
        match &self.db {
            Db::Sqlite(_) => None,
            Db::Postgres(pool) => Some(SharedLimits { pool: pool.clone() }),
        }
    }
}

impl SharedLimits {
    /// Takes up to `wanted` requests from the bucket of a token or a user, after returning `back` unused ones. Under
    /// concurrent calls no more are granted than the bucket holds and refills.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn take_requests(
        &self,
        holder: impl Display,
        rate: RequestRate,
        wanted: u32,
        back: u32,
    ) -> Result<GrantedRequests, StoreError> {
        let back = rate.interval() * back.min(rate.requests);
        let take = sqlx::query_as(TAKE_REQUESTS)
            .bind(holder.to_string())
            .bind(i64::from(wanted.min(rate.requests.max(1))));
        let take = take
            .bind(nanos(back))
            .bind(nanos(rate.interval()))
            .bind(nanos(rate.window()));
        let (granted, until_full): (i64, i64) = take.fetch_one(&self.pool).await?;
        Ok(GrantedRequests {
            granted: u32::try_from(granted).unwrap_or_default(),
            until_full: Duration::from_nanos(u64::try_from(until_full).unwrap_or_default()),
        })
    }

    /// Takes one of the organization's `most` review slots; `None` when all are held. The holder renews it well within
    /// [`REVIEW_SLOT_LIFE`].
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn take_review_slot(
        &self,
        organization: OrganizationId,
        most: usize,
    ) -> Result<Option<ReviewSlot>, StoreError> {
        let lease = random_bytes::<16>()
            .iter()
            .fold(String::new(), |mut text, byte| {
                // Writing to a string does not fail.
                let _ = write!(text, "{byte:02x}");
                text
            });
        let most = i64::try_from(most).unwrap_or(i64::MAX).max(1);
        loop {
            let list = sqlx::query_scalar(LIST_HELD_SLOTS).bind(organization);
            let taken: Vec<i64> = list.fetch_all(&self.pool).await?;
            if i64::try_from(taken.len()).unwrap_or(i64::MAX) >= most {
                return Ok(None);
            }
            let taken: BTreeSet<i64> = taken.into_iter().collect();
            // Callers start at different slots, to avoid contention.
            let begin = i64::from(u32::from_be_bytes(random_bytes()));
            let Some(slot) = (0..most)
                .map(|operation| (begin + operation) % most)
                .find(|slot| !taken.contains(slot))
            else {
                return Ok(None);
            };
            let take = sqlx::query(TAKE_SLOT)
                .bind(organization)
                .bind(slot)
                .bind(&lease);
            if take.execute(&self.pool).await?.rows_affected() > 0 {
                return Ok(Some(ReviewSlot {
                    organization,
                    slot,
                    lease,
                }));
            }
            // Another caller took that slot, so fewer remain: the loop ends.
        }
    }

    /// Extends a slot by [`REVIEW_SLOT_LIFE`]; `false` when it has expired and may be held by another caller.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn renew_review_slot(&self, slot: &ReviewSlot) -> Result<bool, StoreError> {
        let renew = sqlx::query(RENEW_SLOT)
            .bind(slot.organization)
            .bind(slot.slot)
            .bind(&slot.lease);
        Ok(renew.execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Releases a slot.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; the slot then expires by itself.
    pub async fn release_review_slot(&self, slot: &ReviewSlot) -> Result<(), StoreError> {
        let give = sqlx::query(RELEASE_SLOT)
            .bind(slot.organization)
            .bind(slot.slot)
            .bind(&slot.lease);
        give.execute(&self.pool).await?;
        Ok(())
    }

    /// Deletes rows that have been meaningless for an hour (full buckets and expired slots) and returns their number. They
    /// only take space.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn delete_idle(&self) -> Result<u64, StoreError> {
        let buckets = sqlx::query(DELETE_IDLE_BUCKETS)
            .execute(&self.pool)
            .await?
            .rows_affected();
        Ok(buckets
            + sqlx::query(DELETE_EXPIRED_SLOTS)
                .execute(&self.pool)
                .await?
                .rows_affected())
    }
}

fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}
