//! Automatic entitlements and the cap on how many organizations a user can get one in. The cap counts every
//! organization in which the user had one at any time in the month: otherwise archiving or leaving an organization
//! would grant a new quota.

use crate::db::statements;

statements! {
    /// Other organizations in which the user was entitled automatically, in any state: those that the user is still a
    /// member of, and those archived, left or used in this month ($3) or the next ($4). A later month comes from a
    /// wrong clock and is ignored.
    COUNT_GRANTED = "SELECT COUNT(*) FROM automatic_grants WHERE user_id = $1 AND organization_id <> $2 \
        AND (ended_month IS NULL OR ended_month BETWEEN $3 AND $4 OR EXISTS (SELECT 1 FROM review_months \
        WHERE review_months.organization_id = automatic_grants.organization_id \
        AND review_months.user_id = automatic_grants.user_id \
        AND review_months.month BETWEEN $3 AND $4 AND review_months.reviews > 0))";
    INSERT_GRANT = "INSERT INTO automatic_grants (user_id, organization_id) VALUES ($1, $2) \
        ON CONFLICT (user_id, organization_id) DO UPDATE SET ended_month = NULL";
    /// Creates the month's row, so that a replica whose clock is behind does not count in the previous month.
    BEGIN_REVIEW_MONTH = "INSERT INTO review_months (organization_id, user_id, month, reviews) VALUES ($1, $2, $3, 0) \
        ON CONFLICT (organization_id, user_id, month) DO NOTHING";
    BEGIN_TOKEN_MONTH = "INSERT INTO model_token_months (organization_id, month, tokens) VALUES ($1, $2, 0) \
        ON CONFLICT (organization_id, month) DO NOTHING";
    END_GRANT = "UPDATE automatic_grants SET ended_month = $3 \
        WHERE organization_id = $1 AND user_id = $2 AND ended_month IS NULL";
    END_GRANTS_OF_ORGANIZATION = "UPDATE automatic_grants SET ended_month = $2 \
        WHERE organization_id = $1 AND ended_month IS NULL";
    DELETE_GRANTS_OF_USER = "DELETE FROM automatic_grants WHERE user_id = $1";
}

/// Grants the user the automatic entitlement in one more organization, within the cap. Locks the user's row.
macro_rules! grant_within_cap {
    ($caps:expr, $grant:expr, $organization:expr, $user:expr, $actor:expr, $transaction:expr, $now:expr) => {{
        use $crate::automatic_grants::{
            BEGIN_REVIEW_MONTH, BEGIN_TOKEN_MONTH, COUNT_GRANTED, INSERT_GRANT,
        };
        use $crate::{caps::LOCK_USER, entitlements::GRANT_ENTITLEMENT, month::Month};
        let (grant, month): (&NewEntitlement, Month) = ($grant, Month::at($now));
        check_text(&grant.product)?;
        sqlx::query(LOCK_USER)
            .bind($user)
            .execute(&mut *$transaction)
            .await?;
        let count = sqlx::query_scalar(COUNT_GRANTED)
            .bind($user)
            .bind($organization);
        let count = count.bind(month.as_str()).bind(month.next());
        let granted: i64 = count.fetch_one(&mut *$transaction).await?;
        if granted < i64::from($caps.grants_per_user) {
            let entitle = sqlx::query(GRANT_ENTITLEMENT)
                .bind($organization)
                .bind($user)
                .bind(&grant.product);
            let entitle = entitle
                .bind($now)
                .bind(grant.expires_at)
                .bind(grant.monthly_review_limit);
            entitle.execute(&mut *$transaction).await?;
            let insert = sqlx::query(INSERT_GRANT).bind($user).bind($organization);
            insert.execute(&mut *$transaction).await?;
            let begin = sqlx::query(BEGIN_REVIEW_MONTH)
                .bind($organization)
                .bind($user)
                .bind(month.as_str());
            begin.execute(&mut *$transaction).await?;
            let begin = sqlx::query(BEGIN_TOKEN_MONTH)
                .bind($organization)
                .bind(month.as_str());
            begin.execute(&mut *$transaction).await?;
            record!(
                $transaction,
                NewEvent::granted($organization, $user, $actor, grant),
                $now
            )?;
        }
    }};
}

pub(crate) use grant_within_cap;
