//! Identities: maps the subjects of an OpenID Connect issuer to users.

use crate::db::{BeginWrite, db, statements};
use crate::error::{StoreError, check_text};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::user::{User, UserStatus};
use crate::users::INSERT_USER;
use async_recursion::async_recursion as boxed;

statements! {
    FIND_IDENTITY = "SELECT users.id, users.name, users.operator, users.status, users.created_at \
        FROM identities JOIN users ON users.id = identities.user_id \
        WHERE identities.issuer = $1 AND identities.subject = $2";
    /// Of two concurrent inserts, the second waits for the first and then inserts nothing.
    INSERT_IDENTITY = "INSERT INTO identities (issuer, subject, user_id, created_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (issuer, subject) DO NOTHING";
}

impl Store {
    /// Returns the user for this subject of the issuer, unless the user is disabled or deleted. A subject seen for
    /// the first time gets a user with this name, only one even under concurrent calls.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for text that cannot be stored; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_or_insert_identity(
        &self,
        issuer: &str,
        subject: &str,
        name: &str,
        now: UnixMillis,
    ) -> Result<Option<User>, StoreError> {
        for text in [issuer, subject, name] {
            check_text(text)?;
        }
        let known: Option<User> = db!(&self.db, pool => {
            sqlx::query_as(FIND_IDENTITY).bind(issuer).bind(subject).fetch_optional(pool).await?
        });
        let user = match known {
            Some(known) => known,
            None => self.insert_identity(issuer, subject, name, now).await?,
        };
        Ok((user.status == UserStatus::Active).then_some(user))
    }

    async fn insert_identity(
        &self,
        issuer: &str,
        subject: &str,
        name: &str,
        now: UnixMillis,
    ) -> Result<User, StoreError> {
        let user = User::new(name, false, now);
        Ok(db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let insert = sqlx::query(INSERT_USER).bind(user.id).bind(name).bind(user.operator).bind(now);
            insert.execute(&mut *transaction).await?;
            let insert = sqlx::query(INSERT_IDENTITY).bind(issuer).bind(subject).bind(user.id).bind(now);
            if insert.execute(&mut *transaction).await?.rows_affected() == 1 {
                transaction.commit().await?;
                return Ok(user);
            }
            transaction.rollback().await?;
            sqlx::query_as(FIND_IDENTITY).bind(issuer).bind(subject).fetch_one(pool).await?
        }))
    }
}
