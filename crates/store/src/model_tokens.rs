//! Tokens of language models: what an organization may use in a month, however many replicas serve it.
//!
//! Tokens are set aside before a review and settled after it, and count from the first moment. There is nothing to
//! expire: what a process that dies had set aside stays counted, because nobody knows how much of it the provider will
//! charge. So the limit holds even then, and what it costs is bounded: the reviews that were under way in that process,
//! until the month is over.

use crate::{
    OrganizationId, Store, StoreError,
    db::{BeginWrite, db, statements},
    month::month_of,
};

statements! {
    /// Changes nothing, but makes the row if there is none, and holds it until the transaction ends.
    HOLD_TOKENS_OF_MONTH = "INSERT INTO model_token_months (organization_id, month, tokens) VALUES ($1, $2, 0) \
        ON CONFLICT (organization_id, month) DO UPDATE SET tokens = model_token_months.tokens RETURNING tokens";
    ADD_TOKENS_OF_MONTH = "UPDATE model_token_months SET tokens = tokens + $3 \
        WHERE organization_id = $1 AND month = $2";
    FIND_TOKENS_OF_MONTH = "SELECT tokens FROM model_token_months WHERE organization_id = $1 AND month = $2";
}

/// More than any review uses. A provider that reports more is wrong, and must not make the sum overflow.
pub(crate) const MOST_OF_A_REVIEW: u64 = 1 << 40;

impl Store {
    /// Sets tokens aside in the month of `day`: as many as are wanted or, if the month has fewer, those. Under any number
    /// of simultaneous calls no more than `limit_month` are set aside or used.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`, [`StoreError::NotFound`] when there is no such
    /// organization; [`StoreError::Unavailable`].
    pub async fn reserve_model_tokens(
        &self,
        organization: OrganizationId,
        day: &str,
        wanted: u64,
        limit_month: u64,
    ) -> Result<u64, StoreError> {
        let month = month_of(day)?;
        let missing = |error| StoreError::constraint(error, "the tokens were counted already", "organization");
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let hold = sqlx::query_scalar(HOLD_TOKENS_OF_MONTH).bind(organization).bind(month);
            let counted: i64 = hold.fetch_one(&mut *transaction).await.map_err(missing)?;
            let left = limit_month.saturating_sub(counted.unsigned_abs());
            let granted = wanted.min(left).min(MOST_OF_A_REVIEW);
            if granted > 0 {
                let add = sqlx::query(ADD_TOKENS_OF_MONTH).bind(organization).bind(month).bind(stored(granted));
                add.execute(&mut *transaction).await?;
                transaction.commit().await?;
            }
            Ok(granted)
        })
    }

    /// Counts what was really used in place of what was set aside on that day. It may be more.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    pub async fn settle_model_tokens(
        &self,
        organization: OrganizationId,
        day: &str,
        reserved: u64,
        used: u64,
    ) -> Result<(), StoreError> {
        let month = month_of(day)?;
        let beyond = stored(used.min(MOST_OF_A_REVIEW)) - stored(reserved.min(MOST_OF_A_REVIEW));
        if beyond != 0 {
            db!(&self.db, pool => {
                let add = sqlx::query(ADD_TOKENS_OF_MONTH).bind(organization).bind(month).bind(beyond);
                add.execute(pool).await?;
            });
        }
        Ok(())
    }

    /// Tokens of the month of `day` that are used or set aside.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    pub async fn find_model_tokens(&self, organization: OrganizationId, day: &str) -> Result<u64, StoreError> {
        let month = month_of(day)?;
        let counted: Option<i64> = db!(&self.db, pool => {
            sqlx::query_scalar(FIND_TOKENS_OF_MONTH).bind(organization).bind(month).fetch_optional(pool).await?
        });
        Ok(counted.unwrap_or_default().unsigned_abs())
    }
}

/// A count that fits: see [`MOST_OF_A_REVIEW`].
fn stored(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}
