//! Queries for operators, who see all organizations in any state.

use crate::db::{db, statements};
use crate::error::StoreError;
use crate::ids::OrganizationId;
use crate::organization::{Organization, Status};
use crate::organizations::FIND_ORGANIZATION;
use crate::store::Store;
use async_recursion::async_recursion as boxed;

statements! {
    LIST_ALL_ORGANIZATIONS = "SELECT id, name, status, created_at FROM organizations \
        WHERE id > $1 ORDER BY id LIMIT $2";
    LIST_ORGANIZATIONS_OF_STATUS = "SELECT id, name, status, created_at FROM organizations \
        WHERE status = $3 AND id > $1 ORDER BY id LIMIT $2";
}

impl Store {
    /// Finds an organization in any state.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_organization(
        &self,
        id: OrganizationId,
    ) -> Result<Option<Organization>, StoreError> {
        Ok(
            db!(&self.db, pool => sqlx::query_as(FIND_ORGANIZATION).bind(id).fetch_optional(pool).await?),
        )
    }

    /// Lists all organizations, or those with a status: at most `limit`, oldest first, starting after `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_all_organizations(
        &self,
        status: Option<Status>,
        after: Option<OrganizationId>,
        limit: u32,
    ) -> Result<Vec<Organization>, StoreError> {
        let (after, limit) = (
            after.map(|id| id.to_string()).unwrap_or_default(),
            i64::from(limit),
        );
        Ok(db!(&self.db, pool => match status {
            None => sqlx::query_as(LIST_ALL_ORGANIZATIONS).bind(after).bind(limit).fetch_all(pool).await?,
            Some(status) => {
                let list = sqlx::query_as(LIST_ORGANIZATIONS_OF_STATUS).bind(after).bind(limit).bind(status);
                list.fetch_all(pool).await?
            }
        }))
    }
}
