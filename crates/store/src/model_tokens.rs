//! Language model tokens: an organization's monthly limit, shared by all replicas.
//!
//! Tokens are reserved before a review and replaced by the actual use after it; they count from the reservation on.
//! Reservations do not expire, which would need synchronized clocks: if a process dies, its reservations stay counted until the month ends, because the
//! provider may still charge for them. The limit holds even then, and the loss is bounded by the reviews that were in
//! progress.

use crate::db::{BeginWrite, db, statements};
use crate::error::StoreError;
use crate::ids::OrganizationId;
use crate::month::{Month, month_of};
use crate::store::Store;
use async_recursion::async_recursion as boxed;

statements! {
    /// A no-op upsert that creates the row if needed and locks it until the transaction ends. It uses the next month
    /// ($3) if any replica has begun it.
    LOCK_TOKENS_OF_MONTH = "INSERT INTO model_token_months (organization_id, month, tokens) \
        SELECT $1, COALESCE(MAX(month), $2), 0 FROM model_token_months \
        WHERE organization_id = $1 AND month BETWEEN $2 AND $3 \
        ON CONFLICT (organization_id, month) DO UPDATE SET tokens = model_token_months.tokens RETURNING month, tokens";
    ADD_TOKENS_OF_MONTH = "UPDATE model_token_months SET tokens = tokens + $3 \
        WHERE organization_id = $1 AND month = $2";
    FIND_TOKENS_OF_MONTH = "SELECT tokens FROM model_token_months WHERE organization_id = $1 AND month = $2";
}

/// An upper bound on any review's use, so that a wrong report from a provider cannot overflow the sum.
pub(crate) const MAX_PER_REVIEW: u64 = 1 << 40;

/// Tokens reserved for a review.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReservedTokens {
    /// The month that they are counted in.
    pub month: Month,
    /// Their number.
    pub tokens: u64,
}

impl Store {
    /// Reserves up to `wanted` tokens in the month of `day`, fewer if the month has fewer left. Under concurrent calls the
    /// total never exceeds `limit_month`.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`, [`StoreError::NotFound`] when there is no such
    /// organization; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn reserve_model_tokens(
        &self,
        organization: OrganizationId,
        day: &str,
        wanted: u64,
        limit_month: u64,
    ) -> Result<ReservedTokens, StoreError> {
        let month = Month::of_day(day)?;
        let missing = |error| {
            StoreError::constraint(
                error, "the tokens have already been counted", "organization",
            )
        };
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let hold = sqlx::query_as(LOCK_TOKENS_OF_MONTH).bind(organization).bind(month.as_str()).bind(month.next());
            let (month, counted): (Month, i64) = hold.fetch_one(&mut *transaction).await.map_err(missing)?;
            let left = limit_month.saturating_sub(counted.unsigned_abs());
            let granted = wanted.min(left).min(MAX_PER_REVIEW);
            if granted > 0 {
                let add = sqlx::query(ADD_TOKENS_OF_MONTH).bind(organization).bind(month.as_str()).bind(stored(granted));
                add.execute(&mut *transaction).await?;
                transaction.commit().await?;
            }
            Ok(ReservedTokens { month, tokens: granted })
        })
    }

    /// Replaces a reservation by the actual use, which may be greater.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn reconcile_model_tokens(
        &self,
        organization: OrganizationId,
        reserved: &ReservedTokens,
        used: u64,
    ) -> Result<(), StoreError> {
        let beyond = stored(used.min(MAX_PER_REVIEW)) - stored(reserved.tokens.min(MAX_PER_REVIEW));
        if beyond != 0 {
            db!(&self.db, pool => {
                let add = sqlx::query(ADD_TOKENS_OF_MONTH).bind(organization).bind(reserved.month.as_str()).bind(beyond);
                add.execute(pool).await?;
            });
        }
        Ok(())
    }

    /// Tokens of the month of `day` that are used or reserved.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] when `day` is not `YYYY-MM-DD`; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_model_tokens(
        &self,
        organization: OrganizationId,
        day: &str,
    ) -> Result<u64, StoreError> {
        let month = month_of(day)?;
        let counted: Option<i64> = db!(&self.db, pool => {
            sqlx::query_scalar(FIND_TOKENS_OF_MONTH).bind(organization).bind(month).fetch_optional(pool).await?
        });
        Ok(counted.unwrap_or_default().unsigned_abs())
    }
}

/// A count within bounds: see [`MAX_PER_REVIEW`].
fn stored(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}
