//! Offboarding: the operator disables, enables and deletes users at the command line.
//!
//! Every query that authenticates a caller checks the user's status, so a change takes effect with the next request
//! on every process.

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::automatic_grants::DELETE_GRANTS_OF_USER;
use crate::caps::LOCK_USER;
use crate::db::{BeginWrite, db, rows, statements};
use crate::error::StoreError;
use crate::ids::{InvitationId, OrganizationId, UserId};
use crate::members::{DELETE_INVITATIONS_OF, DELETE_MEMBER, LOCK_ORGANIZATION, Role};
use crate::organization::Organization;
use crate::store::Store;
use crate::time::UnixMillis;
use crate::tokens::{DELETE_TOKENS_OF, REVOKE_TOKENS_OF, RevokedRow};
use crate::user::{User, UserStatus};
use crate::users::FIND_USER;
use async_recursion::async_recursion as boxed;

statements! {
    LIST_ROLES = "SELECT organization_id, role FROM members WHERE user_id = $1 ORDER BY organization_id";
    SET_USER_STATUS = "UPDATE users SET status = $2 WHERE id = $1";
    /// Keeps only the ID of a deleted user.
    ERASE_USER = "UPDATE users SET status = 'deleted', name = '', operator = FALSE WHERE id = $1";
    DELETE_SESSIONS_OF = "DELETE FROM browser_sessions WHERE user_id = $1";
    DELETE_KEYS_OF = "DELETE FROM idempotency_keys WHERE user_id = $1";
    /// Active or suspended organizations that have no other active owner.
    LIST_SOLELY_OWNED = "SELECT organizations.id, organizations.name, organizations.status, organizations.created_at \
        FROM members JOIN organizations ON organizations.id = members.organization_id \
        WHERE members.user_id = $1 AND members.role = 'owner' AND organizations.status <> 'archived' \
        AND NOT EXISTS (SELECT 1 FROM members AS others JOIN users ON users.id = others.user_id \
        WHERE others.organization_id = members.organization_id AND others.role = 'owner' \
        AND others.user_id <> $1 AND users.status = 'active') ORDER BY organizations.id";
}

rows! {
    #[derive(PartialEq, Eq)]
    struct RoleRow {
        organization_id: OrganizationId,
        role: Role,
    }
}

impl RoleRow {
    fn event(&self, action: Action) -> NewEvent {
        NewEvent::new(self.organization_id, Actor::CommandLine, action)
    }
}

/// The outcome of an attempt to delete a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deletion {
    /// Done.
    Done,
    /// It would leave these organizations without an active owner.
    LastOwner(Vec<Organization>),
}

/// Locks the user's organizations and then the user, in the general lock order, and reads both. Fails if the
/// memberships changed before the locks were taken.
macro_rules! lock_with_organizations {
    ($id:expr, $to:expr, $transaction:expr) => {{
        let list = sqlx::query_as(LIST_ROLES).bind($id);
        let seen: Vec<RoleRow> = list.fetch_all(&mut *$transaction).await?;
        for RoleRow {
            organization_id, ..
        } in &seen
        {
            sqlx::query(LOCK_ORGANIZATION)
                .bind(*organization_id)
                .execute(&mut *$transaction)
                .await?;
        }
        sqlx::query(LOCK_USER)
            .bind($id)
            .execute(&mut *$transaction)
            .await?;
        let found: Option<User> = sqlx::query_as(FIND_USER)
            .bind($id)
            .fetch_optional(&mut *$transaction)
            .await?;
        let user = found.ok_or(StoreError::NotFound("user"))?;
        let (from, to): (UserStatus, UserStatus) = (user.status, $to);
        if !from.may_become(to) {
            return Err(StoreError::Illegal {
                what: "user",
                from: from.as_str(),
                to: to.as_str(),
            });
        }
        let list = sqlx::query_as(LIST_ROLES).bind($id);
        let roles: Vec<RoleRow> = list.fetch_all(&mut *$transaction).await?;
        if roles != seen {
            return Err(StoreError::Conflict(
                "the user's memberships changed concurrently; try again",
            ));
        }
        (user, roles)
    }};
}

/// Deletes the user's browser sessions and the invitations that they created in these organizations.
macro_rules! end_sessions_and_invitations {
    ($id:expr, $roles:expr, $transaction:expr, $now:expr) => {{
        sqlx::query(DELETE_SESSIONS_OF)
            .bind($id)
            .execute(&mut *$transaction)
            .await?;
        for role in $roles {
            let end = sqlx::query_scalar(DELETE_INVITATIONS_OF)
                .bind(role.organization_id)
                .bind($id);
            let end = end.bind(true).bind(true).bind($now);
            let ended: Vec<InvitationId> = end.fetch_all(&mut *$transaction).await?;
            for invitation in ended {
                record!(
                    $transaction,
                    role.event(Action::InvitationRevoked).on(&invitation),
                    $now
                )?;
            }
        }
    }};
}

impl Store {
    /// Disables a user: from now on their tokens, their browsers and the issuer's tokens are refused. Their sessions
    /// and the invitations that they created are deleted. Everything else is kept until they are enabled again.
    ///
    /// Returns the user, and the organizations that now have no active owner.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Illegal`] when [`UserStatus::may_become`] forbids it, [`StoreError::Conflict`]
    /// when the user joined or left an organization at the same time; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn disable_user(
        &self,
        id: UserId,
        now: UnixMillis,
    ) -> Result<(User, Vec<Organization>), StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let (user, roles) = lock_with_organizations!(id, UserStatus::Disabled, transaction);
            sqlx::query(SET_USER_STATUS).bind(id).bind(UserStatus::Disabled).execute(&mut *transaction).await?;
            for role in &roles {
                record!(transaction, role.event(Action::UserDisabled).to(id), now)?;
            }
            end_sessions_and_invitations!(id, &roles, transaction, now);
            let list = sqlx::query_as(LIST_SOLELY_OWNED).bind(id);
            let ownerless: Vec<Organization> = list.fetch_all(&mut *transaction).await?;
            transaction.commit().await?;
            Ok((User { status: UserStatus::Disabled, ..user }, ownerless))
        })
    }

    /// Enables a disabled user.
    ///
    /// # Errors
    /// See [`Store::disable_user`].
    #[boxed]
    pub async fn enable_user(&self, id: UserId, now: UnixMillis) -> Result<User, StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let (user, roles) = lock_with_organizations!(id, UserStatus::Active, transaction);
            sqlx::query(SET_USER_STATUS).bind(id).bind(UserStatus::Active).execute(&mut *transaction).await?;
            for role in &roles {
                record!(transaction, role.event(Action::UserEnabled).to(id), now)?;
            }
            transaction.commit().await?;
            Ok(User { status: UserStatus::Active, ..user })
        })
    }

    /// Permanently deletes a user, unless that would leave an organization without an active owner. Their name,
    /// tokens, sessions, memberships, entitlements and invitations are deleted. Their ID is kept, because audit
    /// events and review counts refer to it, and so is the issuer's subject, so that it never becomes a user again.
    ///
    /// # Errors
    /// See [`Store::disable_user`].
    #[boxed]
    pub async fn delete_user(&self, id: UserId, now: UnixMillis) -> Result<Deletion, StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let (_, roles) = lock_with_organizations!(id, UserStatus::Deleted, transaction);
            let list = sqlx::query_as(LIST_SOLELY_OWNED).bind(id);
            let owned: Vec<Organization> = list.fetch_all(&mut *transaction).await?;
            if !owned.is_empty() {
                return Ok(Deletion::LastOwner(owned));
            }
            end_sessions_and_invitations!(id, &roles, transaction, now);
            let revoke = sqlx::query_as(REVOKE_TOKENS_OF).bind(id).bind(now);
            let revoked: Vec<RevokedRow> = revoke.fetch_all(&mut *transaction).await?;
            for event in revoked.iter().filter_map(|revoked| revoked.event(id, Actor::CommandLine)) {
                record!(transaction, event, now)?;
            }
            for role in &roles {
                let delete = sqlx::query(DELETE_MEMBER).bind(role.organization_id).bind(id);
                delete.execute(&mut *transaction).await?;
                let removed = role.event(Action::MemberRemoved).to(id);
                record!(transaction, removed.change(Some(role.role.to_string()), None), now)?;
                record!(transaction, role.event(Action::UserDeleted).to(id), now)?;
            }
            sqlx::query(DELETE_TOKENS_OF).bind(id).execute(&mut *transaction).await?;
            sqlx::query(DELETE_KEYS_OF).bind(id).execute(&mut *transaction).await?;
            sqlx::query(DELETE_GRANTS_OF_USER).bind(id).execute(&mut *transaction).await?;
            sqlx::query(ERASE_USER).bind(id).execute(&mut *transaction).await?;
            transaction.commit().await?;
            Ok(Deletion::Done)
        })
    }
}
