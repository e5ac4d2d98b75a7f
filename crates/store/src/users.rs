//! Users: people and machines that hold tokens.

use crate::db::{db, statements};
use crate::error::{StoreError, check_text};
use crate::ids::UserId;
use crate::store::Store;
use crate::time::UnixMillis;
use crate::user::User;
use async_recursion::async_recursion as boxed;

statements! {
    INSERT_USER = "INSERT INTO users (id, name, operator, created_at) VALUES ($1, $2, $3, $4)";
    FIND_USER = "SELECT id, name, operator, status, created_at FROM users WHERE id = $1";
    LIST_USERS = "SELECT id, name, operator, status, created_at FROM users WHERE id > $1 ORDER BY id LIMIT $2";
}

impl Store {
    /// Adds a user.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for a name that cannot be stored; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_user(
        &self,
        name: &str,
        operator: bool,
        now: UnixMillis,
    ) -> Result<User, StoreError> {
        check_text(name)?;
        let user = User::new(name, operator, now);
        db!(&self.db, pool => {
            sqlx::query(INSERT_USER).bind(user.id).bind(name).bind(operator).bind(now).execute(pool).await?;
        });
        Ok(user)
    }

    /// Finds a user.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_user(&self, id: UserId) -> Result<Option<User>, StoreError> {
        Ok(db!(&self.db, pool => sqlx::query_as(FIND_USER).bind(id).fetch_optional(pool).await?))
    }

    /// Lists all users: at most `limit`, oldest first, starting after `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_users(
        &self,
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<User>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        Ok(db!(&self.db, pool => {
            sqlx::query_as(LIST_USERS).bind(after).bind(i64::from(limit)).fetch_all(pool).await?
        }))
    }
}
