//! Caps: how much one user, and one organization, may have at a time.
//!
//! Whoever counts holds the row of the one that it is counted for, until what was counted for is there as well: however many
//! ask at once, no more is made than the cap allows. What the operator does at the command line is not counted.

use crate::db::statements;

statements! {
    /// Changes nothing: who counts what a user has queues for the user's row. After the organization's, where both are held.
    HOLD_USER = "UPDATE users SET operator = operator WHERE id = $1";
    /// An archived organization is nobody's burden any more; a suspended one may come back.
    COUNT_OWNED = "SELECT COUNT(*) FROM members JOIN organizations ON organizations.id = members.organization_id \
        WHERE members.user_id = $1 AND members.role = 'owner' AND organizations.status <> 'archived'";
    /// In whatever state: who was revoked in one organization gets no other one in its place.
    COUNT_GRANTED = "SELECT COUNT(DISTINCT members.organization_id) FROM members \
        JOIN entitlements ON entitlements.organization_id = members.organization_id \
        AND entitlements.user_id = members.user_id \
        JOIN organizations ON organizations.id = members.organization_id \
        WHERE members.user_id = $1 AND organizations.status <> 'archived'";
}

/// How much one user, and one organization, may have at a time. The names are those of the service's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// Organizations that a user owns, alone or with others, and that are not archived.
    pub organizations_per_user: u32,
    /// Tokens of a user that are in force. As many that are over are kept besides, the newest ones.
    pub tokens_per_user: u32,
    /// Organizations in which a user is entitled without being given it by somebody.
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

/// Ends the transaction with [`crate::StoreError::Full`] unless there is room for one more than the statement counts.
macro_rules! within {
    ($caps:expr, $cap:ident, $count:expr, $transaction:expr) => {{
        let count: i64 = $count.fetch_one(&mut *$transaction).await?;
        let most = $caps.$cap;
        if count >= i64::from(most) {
            return Err($crate::StoreError::Full { cap: stringify!($cap), most });
        }
    }};
}

/// Holds the user's row, and ends the transaction unless the user may own one more organization.
macro_rules! may_own {
    ($caps:expr, $user:expr, $transaction:expr) => {{
        use $crate::caps::{COUNT_OWNED, HOLD_USER, within};
        let hold = sqlx::query(HOLD_USER).bind($user).execute(&mut *$transaction).await?;
        if hold.rows_affected() == 0 {
            return Err($crate::StoreError::NotFound("user"));
        }
        within!($caps, organizations_per_user, sqlx::query_scalar(COUNT_OWNED).bind($user), $transaction);
    }};
}

/// Holds the user's row, and tells whether the user may be entitled in one more organization without being given it.
macro_rules! may_be_granted {
    ($caps:expr, $user:expr, $transaction:expr) => {{
        use $crate::caps::{COUNT_GRANTED, HOLD_USER};
        sqlx::query(HOLD_USER).bind($user).execute(&mut *$transaction).await?;
        let count = sqlx::query_scalar(COUNT_GRANTED).bind($user);
        let granted: i64 = count.fetch_one(&mut *$transaction).await?;
        granted < i64::from($caps.grants_per_user)
    }};
}

pub(crate) use {may_be_granted, may_own, within};
