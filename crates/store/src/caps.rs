//! Caps: how many objects a user or an organization may have at a time.
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
}

/// Caps per user and per organization. The names are those of the service's settings.
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

impl Caps {
    /// The default caps.
    pub const DEFAULT: Self = Self {
        organizations_per_user: 100,
        tokens_per_user: 200,
        grants_per_user: 10,
        invitations_per_organization: 1_000,
    };
}

impl Default for Caps {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Fails with [`crate::StoreError::Full`] unless the statement counts fewer than the cap.
macro_rules! within {
    ($caps:expr, $cap:ident, $count:expr, $transaction:expr) => {{
        let count: i64 = $count.fetch_one(&mut *$transaction).await?;
        let most = $caps.$cap;
        if count >= i64::from(most) {
            return Err($crate::error::StoreError::Full {
                cap: stringify!($cap),
                most,
            });
        }
    }};
}

/// Locks the user's row and fails unless the user is active, so that a user who is being disabled or deleted gets
/// nothing new.
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
        within!(
            $caps,
            organizations_per_user,
            sqlx::query_scalar(COUNT_OWNED).bind($user),
            $transaction
        );
    }};
}

pub(crate) use {lock_active_user, may_own, within};
