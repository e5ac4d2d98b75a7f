//! Idempotency keys: a create that is sent again is answered again, and not done again.

use std::time::Duration;

use crate::{
    Organization, OrganizationId, Store, StoreError, UnixMillis, UserId,
    db::{db, rows, statements},
};

/// How long a key is remembered. At this age, to the millisecond, it is free again.
pub const IDEMPOTENCY_KEY_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

statements! {
    /// Takes the key when it is new or expired ($5 is now), and changes no row when it is in use.
    CLAIM_KEY = "INSERT INTO idempotency_keys \
        (user_id, idempotency_key, request_digest, organization_id, created_at, expires_at) \
        VALUES ($1, $2, $3, $4, $5, $6) \
        ON CONFLICT (user_id, idempotency_key) DO UPDATE SET request_digest = excluded.request_digest, \
        organization_id = excluded.organization_id, created_at = excluded.created_at, \
        expires_at = excluded.expires_at WHERE idempotency_keys.expires_at <= excluded.created_at";
    FIND_KEY = "SELECT request_digest, organization_id, created_at FROM idempotency_keys \
        WHERE user_id = $1 AND idempotency_key = $2";
    DELETE_EXPIRED_KEYS = "DELETE FROM idempotency_keys WHERE expires_at <= $1";
}

/// A user's name for one request, and a digest of that request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// Who asks. The same key of another user is another key.
    pub user: UserId,
    /// The name.
    pub key: String,
    /// Tells the same request from another one; the caller chooses what goes into it.
    pub request_digest: [u8; 32],
}

impl IdempotencyKey {
    pub(crate) fn expires_at(&self, now: UnixMillis) -> UnixMillis {
        now + IDEMPOTENCY_KEY_LIFE
    }
}

/// What became of a create that may happen once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Once {
    /// It was done now.
    Created(Organization),
    /// It was done before; this is what it made, as it was then.
    Replayed(Organization),
    /// The key belongs to another request.
    Conflict,
}

rows! {
    pub(crate) struct UsedKey {
        request_digest: Vec<u8>,
        organization_id: OrganizationId,
        created_at: UnixMillis,
    }
}

impl UsedKey {
    /// The first answer, out of what the same request would have made now: only ID and time were different.
    pub(crate) fn answer(self, key: &IdempotencyKey, asked: Organization) -> Once {
        if self.request_digest != key.request_digest {
            return Once::Conflict;
        }
        Once::Replayed(Organization { id: self.organization_id, created_at: self.created_at, ..asked })
    }
}

impl Store {
    /// Forgets the keys that have expired and returns how many. They do no harm; they only take room.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn delete_expired_idempotency_keys(&self, now: UnixMillis) -> Result<u64, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_EXPIRED_KEYS).bind(now).execute(pool).await?.rows_affected()
        }))
    }
}
