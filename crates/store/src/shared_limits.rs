//! Limits that replicas on one PostgreSQL keep together: requests of a token and of a user, and reviews of an organization at
//! once.
//!
//! Every statement is about one row, by its key, and asks only the database's clock: no lock of the session, no sequence,
//! nothing that a database of many nodes could not do. A process on SQLite is alone, and keeps these limits in memory.

use std::{
    collections::BTreeSet,
    fmt::{Display, Write as _},
    time::Duration,
};

use crate::{
    OrganizationId, Store, StoreError,
    db::{Db, PatientPool, statements},
    ids::random_bytes,
};

/// A review slot that is not renewed is free after so long. The statements have the same figure in milliseconds.
pub const REVIEW_SLOT_LIFE: Duration = Duration::from_secs(30);

statements! {
    /// The bucket is known by when it will be full again: a request makes that later by the time in which one comes back
    /// ($4), and no later than the time of a whole bucket ($5) from now. $2 requests are asked for and $3 nanoseconds'
    /// worth given back. A clock that was set back leaves the bucket empty, not closed. `token_id` is that of any holder of a
    /// bucket, of users as well: IDs of different kinds differ.
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
    FORGET_BUCKETS = "DELETE FROM request_buckets \
        WHERE full_at < CAST(EXTRACT(EPOCH FROM now()) * 1000000000 AS BIGINT) - 3600000000000";

    /// What is held for longer than anyone may hold it is of a clock that was set back since.
    LIST_TAKEN_SLOTS = "SELECT slot FROM review_slots WHERE organization_id = $1 \
        AND held_until > CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) \
        AND held_until <= CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) + 60000";
    /// Changes no row when the slot is held: of many who want it at once, one gets it.
    TAKE_SLOT = "INSERT INTO review_slots (organization_id, slot, lease, held_until) \
        VALUES ($1, $2, $3, CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) + 30000) \
        ON CONFLICT (organization_id, slot) DO UPDATE SET lease = excluded.lease, held_until = excluded.held_until \
        WHERE review_slots.held_until <= excluded.held_until - 30000 \
        OR review_slots.held_until > excluded.held_until + 30000";
    RENEW_SLOT = "UPDATE review_slots SET held_until = CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) + 30000 \
        WHERE organization_id = $1 AND slot = $2 AND lease = $3";
    GIVE_SLOT_BACK = "DELETE FROM review_slots WHERE organization_id = $1 AND slot = $2 AND lease = $3";
    FORGET_SLOTS = "DELETE FROM review_slots \
        WHERE held_until < CAST(EXTRACT(EPOCH FROM now()) * 1000 AS BIGINT) - 3600000";
}

/// The limits that replicas on one PostgreSQL keep together. A clone is the same.
#[derive(Debug, Clone)]
pub struct SharedLimits {
    pool: PatientPool,
}

/// A bucket that holds so many requests and refills steadily.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestRate {
    /// Requests that a full bucket holds.
    pub requests: u32,
    /// In which an empty bucket is full again.
    pub per: Duration,
}

/// What a token or a user was given of their requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrantedRequests {
    /// How many; fewer than were asked for, or none, when the bucket does not hold more.
    pub granted: u32,
    /// Until the bucket is full again.
    pub until_full: Duration,
}

/// The right to one review of an organization, until it is given back or lapses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReviewSlot {
    organization: OrganizationId,
    slot: i64,
    lease: String,
}

impl RequestRate {
    /// In which one request comes back; at least a nanosecond.
    #[must_use]
    pub fn interval(self) -> Duration {
        (self.per / self.requests.max(1)).max(Duration::from_nanos(1))
    }

    /// In which an empty bucket is really full again: a whole number of intervals.
    #[must_use]
    pub fn window(self) -> Duration {
        self.interval() * self.requests.max(1)
    }
}

impl Store {
    /// The limits that this process keeps together with others; none on SQLite, which one process has to itself.
    #[must_use]
    pub fn shared_limits(&self) -> Option<SharedLimits> {
        match &self.db {
            Db::Sqlite(_) => None,
            Db::Postgres(pool) => Some(SharedLimits { pool: pool.clone() }),
        }
    }
}

impl SharedLimits {
    /// Takes up to `wanted` requests out of the bucket of a token or a user, by their ID, after putting `back` those of earlier
    /// ones that were not used. Under any number of simultaneous calls no more are granted than the bucket holds and gets back in
    /// time.
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
        let take =
            sqlx::query_as(TAKE_REQUESTS).bind(holder.to_string()).bind(i64::from(wanted.min(rate.requests.max(1))));
        let take = take.bind(nanos(back)).bind(nanos(rate.interval())).bind(nanos(rate.window()));
        let (granted, until_full): (i64, i64) = take.fetch_one(&self.pool).await?;
        Ok(GrantedRequests {
            granted: u32::try_from(granted).unwrap_or_default(),
            until_full: Duration::from_nanos(u64::try_from(until_full).unwrap_or_default()),
        })
    }

    /// Takes one of the organization's `most` review slots; `None` when all are held. Whoever has one renews it well
    /// within [`REVIEW_SLOT_LIFE`].
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn take_review_slot(
        &self,
        organization: OrganizationId,
        most: usize,
    ) -> Result<Option<ReviewSlot>, StoreError> {
        let lease = random_bytes::<16>().iter().fold(String::new(), |mut text, byte| {
            // Writing to a text does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        });
        let most = i64::try_from(most).unwrap_or(i64::MAX).max(1);
        loop {
            let list = sqlx::query_scalar(LIST_TAKEN_SLOTS).bind(organization);
            let taken: Vec<i64> = list.fetch_all(&self.pool).await?;
            if i64::try_from(taken.len()).unwrap_or(i64::MAX) >= most {
                return Ok(None);
            }
            let taken: BTreeSet<i64> = taken.into_iter().collect();
            // Each begins somewhere else, so that not all want the same.
            let begin = i64::from(u32::from_be_bytes(random_bytes()));
            let Some(slot) = (0..most).map(|operation| (begin + operation) % most).find(|slot| !taken.contains(slot))
            else {
                return Ok(None);
            };
            let take = sqlx::query(TAKE_SLOT).bind(organization).bind(slot).bind(&lease);
            if take.execute(&self.pool).await?.rows_affected() > 0 {
                return Ok(Some(ReviewSlot { organization, slot, lease }));
            }
            // Someone else was faster, so there is one less to be had: this ends.
        }
    }

    /// Keeps a slot for another [`REVIEW_SLOT_LIFE`]; `false` when it had lapsed and is someone else's or nobody's now.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn renew_review_slot(&self, slot: &ReviewSlot) -> Result<bool, StoreError> {
        let renew = sqlx::query(RENEW_SLOT).bind(slot.organization).bind(slot.slot).bind(&slot.lease);
        Ok(renew.execute(&self.pool).await?.rows_affected() > 0)
    }

    /// Gives a slot to whoever wants it next.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]; then it lapses by itself.
    pub async fn give_review_slot_back(&self, slot: &ReviewSlot) -> Result<(), StoreError> {
        let give = sqlx::query(GIVE_SLOT_BACK).bind(slot.organization).bind(slot.slot).bind(&slot.lease);
        give.execute(&self.pool).await?;
        Ok(())
    }

    /// Deletes what has meant nothing for an hour and returns how many rows that were: buckets that are full, slots that
    /// lapsed. They do no harm; they only take room.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn forget_idle(&self) -> Result<u64, StoreError> {
        let buckets = sqlx::query(FORGET_BUCKETS).execute(&self.pool).await?.rows_affected();
        Ok(buckets + sqlx::query(FORGET_SLOTS).execute(&self.pool).await?.rows_affected())
    }
}

fn nanos(duration: Duration) -> i64 {
    i64::try_from(duration.as_nanos()).unwrap_or(i64::MAX)
}
