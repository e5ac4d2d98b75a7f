//! Attempts to sign in with the OpenID Connect issuer. Each is redeemed once, on any replica.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use crate::db::{db, statements};
use crate::error::StoreError;
use crate::secret::AttemptDigest;
use crate::store::Store;
use crate::time::UnixMillis;

/// Lifetime of an attempt.
pub const ATTEMPT_LIFE: Duration = Duration::from_secs(10 * 60);

statements! {
    INSERT_ATTEMPT = "INSERT INTO sign_in_attempts (digest, expires_at) VALUES ($1, $2)";
    DELETE_ATTEMPT = "DELETE FROM sign_in_attempts WHERE digest = $1 AND expires_at > $2";
    DELETE_EXPIRED_ATTEMPTS = "DELETE FROM sign_in_attempts WHERE expires_at <= $1";
}

impl Store {
    /// Creates an attempt, which can be redeemed within [`ATTEMPT_LIFE`].
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_attempt(
        &self,
        digest: &AttemptDigest,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        db!(&self.db, pool => {
            sqlx::query(INSERT_ATTEMPT).bind(digest.as_bytes()).bind(now + ATTEMPT_LIFE).execute(pool).await?;
        });
        Ok(())
    }

    /// Redeems an attempt. Returns `false` if it was already redeemed, has expired or never existed; of concurrent
    /// calls, only one returns `true`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn redeem_attempt(
        &self,
        digest: &AttemptDigest,
        now: UnixMillis,
    ) -> Result<bool, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_ATTEMPT).bind(digest.as_bytes()).bind(now).execute(pool).await?.rows_affected() > 0
        }))
    }

    /// Deletes expired attempts and returns their number.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn delete_expired_attempts(&self, now: UnixMillis) -> Result<u64, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_EXPIRED_ATTEMPTS).bind(now).execute(pool).await?.rows_affected()
        }))
    }
}
