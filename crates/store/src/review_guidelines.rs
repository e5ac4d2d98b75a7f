//! Review guidelines: an organization's own instructions for reviewers.

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::db::{BeginWrite, db, rows, statements};
use crate::error::{StoreError, check_text};
use crate::ids::{OrganizationId, UserId};
use crate::store::Store;
use crate::time::UnixMillis;
use async_recursion::async_recursion as boxed;

statements! {
    SET_GUIDELINES = "INSERT INTO review_guidelines (organization_id, guidelines, updated_at) VALUES ($1, $2, $3) \
        ON CONFLICT (organization_id) DO UPDATE SET guidelines = excluded.guidelines, \
        updated_at = excluded.updated_at";
    FIND_GUIDELINES = "SELECT guidelines, updated_at FROM review_guidelines WHERE organization_id = $1";
    DELETE_GUIDELINES = "DELETE FROM review_guidelines WHERE organization_id = $1";
}

rows! {
    /// An organization's guidelines.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct ReviewGuidelines {
        /// The text as submitted.
        pub guidelines: String,
        /// When it was set.
        pub updated_at: UnixMillis,
    }
}

impl Store {
    /// Sets or replaces the organization's guidelines on behalf of the member `actor`.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such organization, [`StoreError::Invalid`] for text that cannot be
    /// stored; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn set_review_guidelines(
        &self,
        organization: OrganizationId,
        actor: UserId,
        guidelines: &str,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        check_text(guidelines)?;
        let missing =
            |error| StoreError::constraint(error, "the guidelines already exist", "organization");
        let event = NewEvent::new(
            organization,
            Actor::User(actor),
            Action::ReviewGuidelinesChanged,
        );
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let set = sqlx::query(SET_GUIDELINES).bind(organization).bind(guidelines).bind(now);
            set.execute(&mut *transaction).await.map_err(missing)?;
            record!(transaction, event, now).map_err(missing)?;
            transaction.commit().await.map_err(missing)
        })
    }

    /// Finds the organization's guidelines.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_review_guidelines(
        &self,
        organization: OrganizationId,
    ) -> Result<Option<ReviewGuidelines>, StoreError> {
        Ok(
            db!(&self.db, pool => sqlx::query_as(FIND_GUIDELINES).bind(organization).fetch_optional(pool).await?),
        )
    }

    /// Deletes the organization's guidelines on behalf of the member `actor`. Returns whether there were any.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn delete_review_guidelines(
        &self,
        organization: OrganizationId,
        actor: UserId,
        now: UnixMillis,
    ) -> Result<bool, StoreError> {
        let event = NewEvent::new(
            organization,
            Actor::User(actor),
            Action::ReviewGuidelinesRemoved,
        );
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let delete = sqlx::query(DELETE_GUIDELINES).bind(organization);
            if delete.execute(&mut *transaction).await?.rows_affected() == 0 {
                return Ok(false);
            }
            record!(transaction, event, now)?;
            transaction.commit().await?;
            Ok(true)
        })
    }
}
