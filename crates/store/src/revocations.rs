//! Revoking tokens, together with everything that was created with them: other tokens, open invitations, browser sessions
//! and idempotency keys.
//! A revocation locks the user's row, and so does the creation of any of these, so nothing is created with a token
//! that is being revoked.
//!
//! A token ends with the token that created it: otherwise a thief could keep tokens made with a stolen one. So no token can replace
//! itself. The issuer's tokens are not parents in this sense, because their user signed in.

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::caps::LOCK_USER;
use crate::db::{BeginWrite, db, rows, statements};
use crate::error::StoreError;
use crate::ids::{InvitationId, OrganizationId, TokenId, UserId};
use crate::members::LOCK_ORGANIZATION;
use crate::store::Store;
use crate::time::UnixMillis;
use crate::tokens::{REVOKE_TOKENS_OF, RevokedRow};
use crate::user::UserStatus;
use async_recursion::async_recursion as boxed;

statements! {
    FIND_USER_OF_TOKEN = "SELECT user_id FROM tokens WHERE id = $1";
    /// Cascades to the tokens created with this one, transitively.
    REVOKE_TOKEN = "WITH RECURSIVE branch (id) AS (\
        SELECT id FROM tokens WHERE id = $1 AND revoked_at IS NULL \
        UNION SELECT tokens.id FROM tokens JOIN branch ON tokens.made_by = branch.id) \
        UPDATE tokens SET revoked_at = $2 WHERE id IN (SELECT id FROM branch) AND revoked_at IS NULL \
        RETURNING id, organization_id";
    LIST_INVITING_OF_TOKEN = "WITH RECURSIVE branch (id) AS (\
        SELECT id FROM tokens WHERE id = $1 \
        UNION SELECT tokens.id FROM tokens JOIN branch ON tokens.made_by = branch.id) \
        SELECT DISTINCT organization_id FROM invitations WHERE made_by IN (SELECT id FROM branch) ORDER BY organization_id";
    LIST_INVITING_OF_USER = "SELECT DISTINCT organization_id FROM invitations \
        WHERE made_by IN (SELECT id FROM tokens WHERE user_id = $1) ORDER BY organization_id";
    DELETE_INVITATIONS_BY = "DELETE FROM invitations WHERE made_by = $1 AND expires_at > $2 RETURNING organization_id, id";
    DELETE_SESSIONS_BY = "DELETE FROM browser_sessions WHERE user_id = $1 AND token_id = $2 \
        AND idle_at > $3 AND expires_at > $3";
    /// Only keys in use: a request that is reusing an expired key has locked its row and waits for the user's.
    DELETE_KEYS_BY = "DELETE FROM idempotency_keys WHERE made_by = $1 AND expires_at > $2";
}

rows! {
    struct EndedInvitation {
        organization_id: OrganizationId,
        id: InvitationId,
    }
}

impl EndedInvitation {
    fn event(&self, actor: Actor) -> NewEvent {
        NewEvent::new(self.organization_id, actor, Action::InvitationRevoked).on(&self.id)
    }
}

/// The number of objects that a revocation ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Revoked {
    /// Tokens, including the revoked one itself.
    pub tokens: u64,
    /// Open invitations created with these tokens.
    pub invitations: u64,
    /// Browser sessions started with these tokens.
    pub sessions: u64,
}

/// Locks the organizations that a query lists. They precede the user in the lock order, so they are listed before
/// anything is locked; an invitation created in another organization in the meantime is still deleted.
macro_rules! lock_inviting {
    ($list:expr, $transaction:expr) => {{
        let organizations: Vec<OrganizationId> = $list.fetch_all(&mut *$transaction).await?;
        for organization in organizations {
            sqlx::query(LOCK_ORGANIZATION)
                .bind(organization)
                .execute(&mut *$transaction)
                .await?;
        }
    }};
}

/// Records the revocation of these tokens of a user and deletes what was created with them.
macro_rules! end_all_made_with {
    ($tokens:expr, $user:expr, $actor:expr, $transaction:expr, $now:expr) => {{
        let mut ended = Revoked::default();
        for token in &$tokens {
            ended.tokens += 1;
            if let Some(event) = token.event($user, $actor) {
                record!($transaction, event, $now)?;
            }
            let end = sqlx::query_as(DELETE_INVITATIONS_BY)
                .bind(token.id)
                .bind($now);
            let invitations: Vec<EndedInvitation> = end.fetch_all(&mut *$transaction).await?;
            for invitation in &invitations {
                ended.invitations += 1;
                record!($transaction, invitation.event($actor), $now)?;
            }
            let end = sqlx::query(DELETE_SESSIONS_BY)
                .bind($user)
                .bind(token.id)
                .bind($now);
            ended.sessions += end.execute(&mut *$transaction).await?.rows_affected();
            sqlx::query(DELETE_KEYS_BY)
                .bind(token.id)
                .bind($now)
                .execute(&mut *$transaction)
                .await?;
        }
        ended
    }};
}

impl Store {
    /// Revokes a token and everything created with it, for the operator at the command line. `None` when there is no such
    /// token or it was revoked before.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn revoke_token(
        &self,
        id: TokenId,
        now: UnixMillis,
    ) -> Result<Option<Revoked>, StoreError> {
        self.end_token(None, id, now).await
    }

    /// Like [`Store::revoke_token`], restricted to the tokens of one user.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn revoke_token_of(
        &self,
        user: UserId,
        id: TokenId,
        now: UnixMillis,
    ) -> Result<Option<Revoked>, StoreError> {
        self.end_token(Some(user), id, now).await
    }

    async fn end_token(
        &self,
        of: Option<UserId>,
        id: TokenId,
        now: UnixMillis,
    ) -> Result<Option<Revoked>, StoreError> {
        let actor = of.map_or(Actor::CommandLine, Actor::User);
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let find = sqlx::query_scalar(FIND_USER_OF_TOKEN).bind(id);
            let found: Option<UserId> = find.fetch_optional(&mut *transaction).await?;
            let Some(user) = found.filter(|user| of.is_none_or(|of| of == *user)) else { return Ok(None) };
            lock_inviting!(sqlx::query_scalar(LIST_INVITING_OF_TOKEN).bind(id), transaction);
            sqlx::query(LOCK_USER).bind(user).execute(&mut *transaction).await?;
            let revoke = sqlx::query_as(REVOKE_TOKEN).bind(id).bind(now);
            let revoked: Vec<RevokedRow> = revoke.fetch_all(&mut *transaction).await?;
            let ended = end_all_made_with!(revoked, user, actor, transaction, now);
            transaction.commit().await?;
            Ok((ended.tokens > 0).then_some(ended))
        })
    }

    /// Revokes all tokens of a user and everything created with them, for the operator at the command line.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when there is no such user; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn revoke_all_tokens_of(
        &self,
        user: UserId,
        now: UnixMillis,
    ) -> Result<Revoked, StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            lock_inviting!(sqlx::query_scalar(LIST_INVITING_OF_USER).bind(user), transaction);
            let lock = sqlx::query_scalar(LOCK_USER).bind(user);
            let found: Option<UserStatus> = lock.fetch_optional(&mut *transaction).await?;
            found.ok_or(StoreError::NotFound("user"))?;
            let revoke = sqlx::query_as(REVOKE_TOKENS_OF).bind(user).bind(now);
            let revoked: Vec<RevokedRow> = revoke.fetch_all(&mut *transaction).await?;
            let ended = end_all_made_with!(revoked, user, Actor::CommandLine, transaction, now);
            transaction.commit().await?;
            Ok(ended)
        })
    }
}
