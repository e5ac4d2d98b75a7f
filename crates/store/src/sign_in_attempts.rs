//! Browsers that were sent to the OpenID Connect issuer to sign in: each attempt is redeemed once, on whichever replica.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use crate::{
    AttemptDigest, Store, StoreError, UnixMillis,
    db::{db, statements},
};

/// An attempt to sign in is refused after this time.
pub const ATTEMPT_LIFE: Duration = Duration::from_secs(10 * 60);

statements! {
    INSERT_ATTEMPT = "INSERT INTO sign_in_attempts (digest, expires_at) VALUES ($1, $2)";
    DELETE_ATTEMPT = "DELETE FROM sign_in_attempts WHERE digest = $1 AND expires_at > $2";
    DELETE_EXPIRED_ATTEMPTS = "DELETE FROM sign_in_attempts WHERE expires_at <= $1";
}

impl Store {
    /// Begins an attempt, which can be redeemed within [`ATTEMPT_LIFE`].
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_attempt(&self, digest: &AttemptDigest, now: UnixMillis) -> Result<(), StoreError> {
        db!(&self.db, pool => {
            sqlx::query(INSERT_ATTEMPT).bind(digest.as_bytes()).bind(now + ATTEMPT_LIFE).execute(pool).await?;
        });
        Ok(())
    }

    /// Ends an attempt. False when it was ended before, has expired or never began: of concurrent calls, one gets true.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn redeem_attempt(&self, digest: &AttemptDigest, now: UnixMillis) -> Result<bool, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_ATTEMPT).bind(digest.as_bytes()).bind(now).execute(pool).await?.rows_affected() > 0
        }))
    }

    /// Forgets the attempts whose time is over and returns how many.
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
