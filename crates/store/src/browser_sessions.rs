//! Browser sessions of the console. A session is looked up by the digest of its cookie; the cookie itself is not
//! stored.
//!
//! A session belongs to the token that signed in: it is valid only while that token and its user are, and has the
//! token's scopes. A session of a user who signed in through the OpenID Connect issuer has its own scopes and expires
//! sooner, because the issuer does not report disabled users.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use sqlx::{FromRow as _, Row as _};

use crate::db::{BeginWrite, db, statements};
use crate::error::StoreError;
use crate::ids::{TokenId, UserId};
use crate::secret::{SessionDigest, SessionSecret};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::tokens::{AuthenticatedToken, Scope, Scopes, TokenRow};

/// Idle timeout of a session.
pub const SESSION_IDLE: Duration = Duration::from_secs(8 * 60 * 60);
/// Maximum lifetime of a session.
pub const SESSION_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Maximum lifetime of a session that was opened through the OpenID Connect issuer.
pub const ISSUER_SESSION_LIFE: Duration = Duration::from_secs(12 * 60 * 60);
/// Minimum interval between two recorded uses.
const NOTE_EVERY: Duration = Duration::from_secs(60);
/// Maximum number of sessions per user; the oldest are deleted.
const SESSIONS_PER_USER: i64 = 50;

statements! {
    INSERT_SESSION = "INSERT INTO browser_sessions (digest, user_id, token_id, created_at, idle_at, expires_at) \
        SELECT $1, user_id, id, CAST($3 AS BIGINT), CAST($4 AS BIGINT), CAST($5 AS BIGINT) FROM tokens \
        WHERE id = $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $3) \
        AND user_id IN (SELECT id FROM users WHERE status = 'active')";
    INSERT_ISSUER_SESSION = "INSERT INTO browser_sessions \
        (digest, user_id, token_id, created_at, idle_at, expires_at, scopes) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    /// All but the newest $2 sessions of the session's user.
    DELETE_OLDEST_SESSIONS = "DELETE FROM browser_sessions WHERE digest IN (\
        SELECT digest FROM browser_sessions \
        WHERE user_id = (SELECT user_id FROM browser_sessions WHERE digest = $1) \
        ORDER BY created_at DESC, digest LIMIT 1000 OFFSET $2)";
    FIND_SESSION = "SELECT browser_sessions.token_id AS id, users.id AS user_id, users.name AS user_name, users.operator, \
        COALESCE(browser_sessions.scopes, tokens.scopes) AS scopes, tokens.organization_id, tokens.expires_at, \
        browser_sessions.idle_at FROM browser_sessions JOIN users ON users.id = browser_sessions.user_id \
        LEFT JOIN tokens ON tokens.id = browser_sessions.token_id \
        WHERE browser_sessions.digest = $1 AND browser_sessions.idle_at > $2 AND browser_sessions.expires_at > $2 \
        AND users.status = 'active' AND (browser_sessions.scopes IS NOT NULL OR (tokens.id IS NOT NULL AND tokens.revoked_at IS NULL \
        AND (tokens.expires_at IS NULL OR tokens.expires_at > $2)))";
    /// Monotonic, because several processes may record the same session.
    NOTE_SESSION_USE = "UPDATE browser_sessions SET idle_at = $2 WHERE digest = $1 AND idle_at < $2";
    DELETE_SESSION = "DELETE FROM browser_sessions WHERE digest = $1";
    DELETE_EXPIRED_SESSIONS = "DELETE FROM browser_sessions WHERE expires_at <= $1 OR idle_at <= $1";
}

impl Store {
    /// Opens a session for the holder of a token and returns the secret for its cookie, which is not stored. Returns
    /// `None` if the token is not valid. Only the newest 50 sessions of a user are kept.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_session(
        &self,
        token: TokenId,
        now: UnixMillis,
    ) -> Result<Option<SessionSecret>, StoreError> {
        let secret = SessionSecret::generate();
        let digest = secret.digest();
        let inserted = db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let insert = sqlx::query(INSERT_SESSION).bind(digest.as_bytes()).bind(token).bind(now);
            let insert = insert.bind(now + SESSION_IDLE).bind(now + SESSION_LIFE);
            let inserted = insert.execute(&mut *transaction).await?.rows_affected();
            let delete = sqlx::query(DELETE_OLDEST_SESSIONS).bind(digest.as_bytes()).bind(SESSIONS_PER_USER);
            delete.execute(&mut *transaction).await?;
            transaction.commit().await?;
            inserted
        });
        Ok((inserted > 0).then_some(secret))
    }

    /// Opens a session with these scopes for a user who signed in through the OpenID Connect issuer. Only the newest
    /// 50 sessions of a user are kept.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_issuer_session(
        &self,
        user: UserId,
        scopes: Vec<Scope>,
        now: UnixMillis,
    ) -> Result<SessionSecret, StoreError> {
        let (secret, scopes) = (SessionSecret::generate(), Scopes(scopes));
        let digest = secret.digest();
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let insert = sqlx::query(INSERT_ISSUER_SESSION).bind(digest.as_bytes()).bind(user);
            let insert = insert.bind(TokenId::of_issuer_tokens(user)).bind(now).bind(now + SESSION_IDLE);
            insert.bind(now + ISSUER_SESSION_LIFE).bind(&scopes).execute(&mut *transaction).await?;
            let delete = sqlx::query(DELETE_OLDEST_SESSIONS).bind(digest.as_bytes()).bind(SESSIONS_PER_USER);
            delete.execute(&mut *transaction).await?;
            transaction.commit().await?;
        });
        Ok(secret)
    }

    /// Finds the token of the session with this digest, if both are valid and the user is active, and records the use
    /// of the session.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_session(
        &self,
        digest: &SessionDigest,
        now: UnixMillis,
    ) -> Result<Option<AuthenticatedToken>, StoreError> {
        let found = db!(&self.db, pool => {
            match sqlx::query(FIND_SESSION).bind(digest.as_bytes()).bind(now).fetch_optional(pool).await? {
                Some(row) => Some((TokenRow::from_row(&row)?, row.try_get("idle_at")?)),
                None => None,
            }
        });
        let Some((token, noted)): Option<(TokenRow, UnixMillis)> = found else {
            return Ok(None);
        };
        let idle_at = now + SESSION_IDLE;
        if noted + NOTE_EVERY <= idle_at {
            db!(&self.db, pool => {
                sqlx::query(NOTE_SESSION_USE).bind(digest.as_bytes()).bind(idle_at).execute(pool).await?;
            });
        }
        Ok(Some(token.into()))
    }

    /// Deletes the session with this digest.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn delete_session(&self, digest: &SessionDigest) -> Result<(), StoreError> {
        db!(&self.db, pool => {
            sqlx::query(DELETE_SESSION).bind(digest.as_bytes()).execute(pool).await?;
        });
        Ok(())
    }

    /// Deletes expired sessions and returns their number. They only take space.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn delete_expired_sessions(&self, now: UnixMillis) -> Result<u64, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_EXPIRED_SESSIONS).bind(now).execute(pool).await?.rows_affected()
        }))
    }
}
