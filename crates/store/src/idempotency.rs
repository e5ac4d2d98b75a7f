//! Idempotency keys: a repeated create request gets the first answer and has no further effect.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use crate::db::{db, rows, statements};
use crate::error::StoreError;
use crate::ids::{OrganizationId, TokenId, UserId};
use crate::organization::Organization;
use crate::store::Store;
use crate::time::UnixMillis;

/// How long a key is remembered. At exactly this age it can be used again.
pub const IDEMPOTENCY_KEY_LIFE: Duration = Duration::from_secs(24 * 60 * 60);

statements! {
    /// Inserts a new key or replaces an expired one ($5 is now); changes no row when the key is in use.
    CLAIM_KEY = "INSERT INTO idempotency_keys \
        (user_id, idempotency_key, request_digest, organization_id, created_at, expires_at, made_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7) \
        ON CONFLICT (user_id, idempotency_key) DO UPDATE SET request_digest = excluded.request_digest, \
        organization_id = excluded.organization_id, created_at = excluded.created_at, \
        expires_at = excluded.expires_at, made_by = excluded.made_by \
        WHERE idempotency_keys.expires_at <= excluded.created_at";
    FIND_KEY = "SELECT request_digest, organization_id, created_at FROM idempotency_keys \
        WHERE user_id = $1 AND idempotency_key = $2";
    DELETE_EXPIRED_KEYS = "DELETE FROM idempotency_keys WHERE expires_at <= $1";
}

/// A user's key for one request, and a digest of that request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// The caller. Keys of different users are distinct.
    pub user: UserId,
    /// The key's text.
    pub key: String,
    /// Identifies the request's content; the caller decides what it covers.
    pub request_digest: [u8; 32],
    /// The token of the request. Revoking it deletes the key.
    pub made_by: Option<TokenId>,
}

impl IdempotencyKey {
    pub(crate) fn expires_at(&self, now: UnixMillis) -> UnixMillis {
        now + IDEMPOTENCY_KEY_LIFE
    }
}

/// The outcome of an idempotent create.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Once {
    /// Created now.
    Created(Organization),
    /// Created earlier; this is the object as it was then.
    Replayed(Organization),
    /// The key was used for another request.
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
    /// Rebuilds the first answer from what the same request would create now: only ID and time differ.
    pub(crate) fn answer(self, key: &IdempotencyKey, asked: Organization) -> Once {
        if self.request_digest != key.request_digest {
            return Once::Conflict;
        }
        Once::Replayed(Organization {
            id: self.organization_id,
            created_at: self.created_at,
            ..asked
        })
    }
}

impl Store {
    /// Deletes expired keys and returns their number. They only take space.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn delete_expired_idempotency_keys(
        &self,
        now: UnixMillis,
    ) -> Result<u64, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_EXPIRED_KEYS).bind(now).execute(pool).await?.rows_affected()
        }))
    }
}
