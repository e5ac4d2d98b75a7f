//! Caps: how much one user and one organization may have at a time.
//!
//! A counting transaction locks the row of the user or organization that it counts for until it commits, so concurrent
//! requests cannot exceed a cap. Caps do not apply to the operator at the command line.

use crate::db::statements;

statements! {
    /// A no-op update that locks the user's row. Lock order: the organization's row first, then the user's.
    LOCK_USER = "UPDATE users SET operator = operator WHERE id = $1 RETURNING status";
    /// Archived organizations do not count; suspended ones do, because they may be reactivated.
    COUNT_OWNED = "SELECT COUNT(*) FROM members JOIN organizations ON organizations.id = members.organization_id \
        WHERE members.user_id = $1 AND members.role = 'owner' AND organizations.status <> 'archived'";
    /// Other organizations in which the user was entitled automatically, in any state: those that the user is still a member
    /// of, and those that were archived or left in this month ($3) or used in it. A later month than the next ($4) was written
    /// by a clock that was wrong.
    COUNT_GRANTED = "SELECT COUNT(*) FROM automatic_grants WHERE user_id = $1 AND organization_id <> $2 \
        AND (ended_month IS NULL OR ended_month BETWEEN $3 AND $4 OR EXISTS (SELECT 1 FROM review_months \
        WHERE review_months.organization_id = automatic_grants.organization_id \
        AND review_months.user_id = automatic_grants.user_id \
        AND review_months.month BETWEEN $3 AND $4 AND review_months.reviews > 0))";
    INSERT_GRANT = "INSERT INTO automatic_grants (user_id, organization_id) VALUES ($1, $2) \
        ON CONFLICT (user_id, organization_id) DO UPDATE SET ended_month = NULL";
    /// Begins the month of the new entitlement, so that a replica whose clock is behind counts nothing in the month before.
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

/// How much one user and one organization may have at a time. The names are those of the service's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Organizations that a user owns, alone or with others, and that are not archived.
    pub organizations_per_user: u32,
    /// Active tokens of a user. As many revoked or expired ones are kept in addition, newest first.
    pub tokens_per_user: u32,
    /// Organizations in which a user gets an entitlement automatically. One that was archived or left counts until the end of
    /// the month.
    pub grants_per_user: u32,
    /// Open invitations of an organization.
    pub invitations_per_organization: u32,
}

impl Default for Caps {
    fn default() -> Self {
        Self {
            organizations_per_user: 100,
            tokens_per_user: 200,
            grants_per_user: 10,
            invitations_per_organization: 1_000,
        }
    }
}

/// Fails with [`crate::StoreError::Full`] unless the statement counts fewer than the cap.
macro_rules! within {
    ($caps:expr, $cap:ident, $count:expr, $transaction:expr) => {{
        let count: i64 = $count.fetch_one(&mut *$transaction).await?;
        let most = $caps.$cap;
        if count >= i64::from(most) {
            return Err($crate::StoreError::Full { cap: stringify!($cap), most });
        }
    }};
}

/// Locks the user's row and fails unless the user is active: what a transaction gives a user, it does not give one who is
/// disabled or deleted at the same time.
macro_rules! lock_active_user {
    ($user:expr, $transaction:expr) => {{
        use $crate::{StoreError, UserStatus, caps::LOCK_USER};
        let lock = sqlx::query_scalar(LOCK_USER).bind($user);
        let status: Option<UserStatus> = lock.fetch_optional(&mut *$transaction).await?;
        match status {
            None => return Err(StoreError::NotFound("user")),
            Some(UserStatus::Active) => {}
            Some(_) => return Err(StoreError::Conflict("the user is disabled or deleted")),
        }
    }};
}

/// Locks the user's row and fails unless the user may own one more organization.
macro_rules! may_own {
    ($caps:expr, $user:expr, $transaction:expr) => {{
        use $crate::caps::{COUNT_OWNED, lock_active_user, within};
        lock_active_user!($user, $transaction);
        within!($caps, organizations_per_user, sqlx::query_scalar(COUNT_OWNED).bind($user), $transaction);
    }};
}

/// Entitles the user automatically in one more organization, unless that is beyond the cap. Locks the user's row.
macro_rules! grant_within_cap {
    ($caps:expr, $grant:expr, $organization:expr, $user:expr, $actor:expr, $transaction:expr, $now:expr) => {{
        use $crate::caps::{BEGIN_REVIEW_MONTH, BEGIN_TOKEN_MONTH, COUNT_GRANTED, INSERT_GRANT, LOCK_USER};
        use $crate::{entitlements::GRANT_ENTITLEMENT, month::Month};
        let (grant, month): (&NewEntitlement, Month) = ($grant, Month::at($now));
        check_text(&grant.product)?;
        sqlx::query(LOCK_USER).bind($user).execute(&mut *$transaction).await?;
        let count = sqlx::query_scalar(COUNT_GRANTED).bind($user).bind($organization);
        let count = count.bind(month.as_str()).bind(month.next());
        let granted: i64 = count.fetch_one(&mut *$transaction).await?;
        if granted < i64::from($caps.grants_per_user) {
            let entitle = sqlx::query(GRANT_ENTITLEMENT).bind($organization).bind($user).bind(&grant.product);
            let entitle = entitle.bind($now).bind(grant.expires_at).bind(grant.monthly_review_limit);
            entitle.execute(&mut *$transaction).await?;
            let insert = sqlx::query(INSERT_GRANT).bind($user).bind($organization);
            insert.execute(&mut *$transaction).await?;
            let begin = sqlx::query(BEGIN_REVIEW_MONTH).bind($organization).bind($user).bind(month.as_str());
            begin.execute(&mut *$transaction).await?;
            let begin = sqlx::query(BEGIN_TOKEN_MONTH).bind($organization).bind(month.as_str());
            begin.execute(&mut *$transaction).await?;
            record!($transaction, NewEvent::granted($organization, $user, $actor, grant), $now)?;
        }
    }};
}

pub(crate) use {grant_within_cap, lock_active_user, may_own, within};
