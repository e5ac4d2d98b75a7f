//! Review guidelines: what an organization wants reviewers to know of its code, in its own words.

use crate::{
    OrganizationId, Store, StoreError, UnixMillis,
    db::{db, rows, statements},
    error::check_text,
};

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
        /// The text, as it was set.
        pub guidelines: String,
        /// When it was set.
        pub updated_at: UnixMillis,
    }
}

impl Store {
    /// Sets the organization's guidelines, in place of those before.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such organization, [`StoreError::Invalid`] for a text that cannot be
    /// kept; [`StoreError::Unavailable`].
    pub async fn set_review_guidelines(
        &self,
        organization: OrganizationId,
        guidelines: &str,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        check_text(guidelines)?;
        let result = db!(&self.db, pool => {
            let set = sqlx::query(SET_GUIDELINES).bind(organization).bind(guidelines).bind(now);
            set.execute(pool).await.map(drop)
        });
        result.map_err(|error| StoreError::constraint(error, "the guidelines exist already", "organization"))
    }

    /// Finds the organization's guidelines.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn find_review_guidelines(
        &self,
        organization: OrganizationId,
    ) -> Result<Option<ReviewGuidelines>, StoreError> {
        Ok(db!(&self.db, pool => sqlx::query_as(FIND_GUIDELINES).bind(organization).fetch_optional(pool).await?))
    }

    /// Deletes the organization's guidelines. False when there were none.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn delete_review_guidelines(&self, organization: OrganizationId) -> Result<bool, StoreError> {
        Ok(db!(&self.db, pool => {
            sqlx::query(DELETE_GUIDELINES).bind(organization).execute(pool).await?.rows_affected() == 1
        }))
    }
}
