//! Invitations: a code that makes its bearer a member, once. Only the code's digest is stored, and lookups use it.
//! Accepted and revoked invitations are deleted; the audit events record them.
//!
//! An invitation ends when its creator is removed or may no longer invite to its role. Otherwise a removed member could keep a code to come
//! back with.

use async_recursion::async_recursion as boxed;
use std::time::Duration;

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::automatic_grants::grant_within_cap;
use crate::caps::{lock_active_user, may_own, within};
use crate::db::{BeginWrite, db, rows, statements};
use crate::entitlements::NewEntitlement;
use crate::error::{StoreError, check_text};
use crate::ids::{InvitationId, OrganizationId, TokenId, UserId};
use crate::members::{
    FIND_MEMBER, INSERT_MEMBER, LOCK_ORGANIZATION, Member, Membership, MembershipRow, Role,
};
use crate::organization::{Organization, Status};
use crate::organizations::{FIND_MEMBERSHIP, FIND_ORGANIZATION};
use crate::secret::{InvitationCode, InvitationDigest};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::tokens::{Creator, check_maker};

/// Default lifetime of an invitation.
pub const INVITATION_LIFE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Maximum lifetime of an invitation.
pub const MAX_INVITATION_LIFE: Duration = Duration::from_secs(30 * 24 * 60 * 60);

statements! {
    INSERT_INVITATION = "INSERT INTO invitations \
        (organization_id, id, digest, role, created_by, created_at, expires_at, made_by) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    COUNT_INVITATIONS = "SELECT COUNT(*) FROM invitations WHERE organization_id = $1";
    LIST_INVITATIONS = "SELECT id, role, created_by, created_at, expires_at FROM invitations \
        WHERE organization_id = $1 AND id > $2 AND expires_at > $3 ORDER BY id LIMIT $4";
    FIND_INVITATION = "SELECT id, role, created_by, created_at, expires_at FROM invitations \
        WHERE organization_id = $1 AND id = $2 AND expires_at > $3";
    FIND_INVITATION_BY_DIGEST = "SELECT organization_id, id, role FROM invitations WHERE digest = $1 AND expires_at > $2";
    DELETE_INVITATION = "DELETE FROM invitations WHERE organization_id = $1 AND id = $2";
    DELETE_EXPIRED_INVITATIONS = "DELETE FROM invitations WHERE organization_id = $1 AND expires_at <= $2";
}

rows! {
    /// An open invitation, without its code.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Invitation {
        /// The invitation's ID.
        pub id: InvitationId,
        /// The role of the new member.
        pub role: Role,
        /// The member who created it.
        pub created_by: UserId,
        /// When it was created.
        pub created_at: UnixMillis,
        /// Expires at this millisecond.
        pub expires_at: UnixMillis,
    }

    struct FoundRow {
        organization_id: OrganizationId,
        id: InvitationId,
        role: Role,
    }
}

/// The outcome of an attempt to invite.
#[derive(Debug)]
pub enum Invited {
    /// The invitation and its code, which is not shown again.
    Done(Invitation, InvitationCode),
    /// [`Role::may_invite`] forbids it, or the caller is no longer a member of an active organization.
    NotAllowed,
}

/// The outcome of an attempt to revoke an invitation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvitationEnd {
    /// The invitation is revoked.
    Done,
    /// No such invitation, or it is no longer open.
    NoInvitation,
    /// [`Role::may_invite`] forbids it, or the caller is no longer a member of an active organization.
    NotAllowed,
}

/// The outcome of an attempt to accept an invitation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Acceptance {
    /// The user is now a member.
    Joined(Membership),
    /// No such invitation, it is no longer open, or its organization is not active.
    NoInvitation,
    /// The user is already a member; the invitation stays open.
    MemberAlready,
}

impl Store {
    /// Creates an invitation if the member `actor` may do so.
    ///
    /// # Errors
    /// [`StoreError::Full`] when the organization has reached its cap, [`StoreError::Conflict`] when the member is disabled;
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_invitation(
        &self,
        organization: OrganizationId,
        actor: UserId,
        role: Role,
        expires_at: UnixMillis,
        now: UnixMillis,
    ) -> Result<Invited, StoreError> {
        self.invite(organization, actor, Creator::User, role, expires_at, now)
            .await
    }

    /// Like [`Store::insert_invitation`], authenticated by `maker`, a token of the member: revoking it revokes the
    /// invitation.
    ///
    /// # Errors
    /// As [`Store::insert_invitation`]; also [`StoreError::NotFound`] when the maker is no longer valid.
    #[boxed]
    pub async fn insert_invitation_by(
        &self,
        maker: TokenId,
        organization: OrganizationId,
        actor: UserId,
        role: Role,
        expires_at: UnixMillis,
        now: UnixMillis,
    ) -> Result<Invited, StoreError> {
        self.invite(
            organization,
            actor,
            Creator::Token(maker),
            role,
            expires_at,
            now,
        )
        .await
    }

    /// Like [`Store::insert_invitation`], but for the operator at the command line, on behalf of the member `by` and
    /// without caps. The invitation ends when that member loses the right to create it.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when the member is disabled; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_invitation_for(
        &self,
        organization: OrganizationId,
        by: UserId,
        role: Role,
        expires_at: UnixMillis,
        now: UnixMillis,
    ) -> Result<Invited, StoreError> {
        self.invite(
            organization,
            by,
            Creator::CommandLine,
            role,
            expires_at,
            now,
        )
        .await
    }

    async fn invite(
        &self,
        organization: OrganizationId,
        created_by: UserId,
        creator: Creator,
        role: Role,
        expires_at: UnixMillis,
        now: UnixMillis,
    ) -> Result<Invited, StoreError> {
        let code = InvitationCode::generate();
        let digest = code.digest();
        let id = InvitationId::new(now);
        let invitation = Invitation {
            id,
            role,
            created_by,
            created_at: now,
            expires_at,
        };
        let event = NewEvent::new(
            organization,
            creator.actor(created_by),
            Action::InvitationCreated,
        )
        .on(&id);
        let event = event.change(None, Some(role.to_string()));
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            // The row lock serializes this with other counts and with the removal of the inviter and their invitations.
            sqlx::query(LOCK_ORGANIZATION).bind(organization).execute(&mut *transaction).await?;
            let find = sqlx::query_as(FIND_MEMBERSHIP).bind(created_by).bind(organization);
            let found: Option<MembershipRow> = find.fetch_optional(&mut *transaction).await?;
            if !found.is_some_and(|found| Membership::from(found).role.may_invite(role)) {
                return Ok(Invited::NotAllowed);
            }
            lock_active_user!(created_by, transaction);
            check_maker!(creator.token(), created_by, transaction, now);
            let sweep = sqlx::query(DELETE_EXPIRED_INVITATIONS).bind(organization).bind(now);
            sweep.execute(&mut *transaction).await?;
            if !matches!(creator, Creator::CommandLine) {
                let count = sqlx::query_scalar(COUNT_INVITATIONS).bind(organization);
                within!(self.caps, invitations_per_organization, count, transaction);
            }
            let insert = sqlx::query(INSERT_INVITATION).bind(organization).bind(id).bind(digest.as_bytes());
            let insert = insert.bind(role).bind(created_by).bind(now).bind(expires_at).bind(creator.token());
            insert.execute(&mut *transaction).await?;
            record!(transaction, event, now)?;
            transaction.commit().await?;
        });
        Ok(Invited::Done(invitation, code))
    }

    /// Lists an organization's open invitations: at most `limit`, oldest first, starting after `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_invitations(
        &self,
        organization: OrganizationId,
        after: Option<InvitationId>,
        limit: u32,
        now: UnixMillis,
    ) -> Result<Vec<Invitation>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        Ok(db!(&self.db, pool => {
            let list = sqlx::query_as(LIST_INVITATIONS).bind(organization).bind(after).bind(now);
            list.bind(i64::from(limit)).fetch_all(pool).await?
        }))
    }

    /// Revokes an invitation if the member `actor` could have created it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn revoke_invitation(
        &self,
        organization: OrganizationId,
        actor: UserId,
        id: InvitationId,
        now: UnixMillis,
    ) -> Result<InvitationEnd, StoreError> {
        let event =
            NewEvent::new(organization, Actor::User(actor), Action::InvitationRevoked).on(&id);
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let find = sqlx::query_as(FIND_MEMBERSHIP).bind(actor).bind(organization);
            let acting: Option<MembershipRow> = find.fetch_optional(&mut *transaction).await?;
            let Some(acting) = acting.map(Membership::from) else { return Ok(InvitationEnd::NotAllowed) };
            let find = sqlx::query_as(FIND_INVITATION).bind(organization).bind(id).bind(now);
            let found: Option<Invitation> = find.fetch_optional(&mut *transaction).await?;
            let Some(invitation) = found else { return Ok(InvitationEnd::NoInvitation) };
            if !acting.role.may_invite(invitation.role) {
                return Ok(InvitationEnd::NotAllowed);
            }
            let delete = sqlx::query(DELETE_INVITATION).bind(organization).bind(id);
            if delete.execute(&mut *transaction).await?.rows_affected() == 0 {
                return Ok(InvitationEnd::NoInvitation);
            }
            record!(transaction, event, now)?;
            transaction.commit().await?;
            Ok(InvitationEnd::Done)
        })
    }

    /// Makes the user a member through the invitation with this digest and, if there is a `grant`, entitles them within the
    /// caps. Under concurrent calls exactly one user joins.
    ///
    /// # Errors
    /// [`StoreError::Full`] when a new owner has reached the cap on owned organizations, and then the invitation stays open;
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn accept_invitation(
        &self,
        digest: &InvitationDigest,
        user: UserId,
        grant: Option<&NewEntitlement>,
        now: UnixMillis,
    ) -> Result<Acceptance, StoreError> {
        // Outside the transaction, so that guessing codes does not block writers.
        let found: Option<FoundRow> = db!(&self.db, pool => {
            sqlx::query_as(FIND_INVITATION_BY_DIGEST).bind(digest.as_bytes()).bind(now).fetch_optional(pool).await?
        });
        let Some(FoundRow {
            organization_id,
            id,
            role,
        }) = found
        else {
            return Ok(Acceptance::NoInvitation);
        };
        let joined = NewEvent::new(organization_id, Actor::User(user), Action::MemberJoined)
            .to(user)
            .on(&id);
        let joined = joined.change(None, Some(role.to_string()));
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            sqlx::query(LOCK_ORGANIZATION).bind(organization_id).execute(&mut *transaction).await?;
            let find = sqlx::query_as(FIND_ORGANIZATION).bind(organization_id);
            let organization: Organization = find.fetch_one(&mut *transaction).await?;
            let delete = sqlx::query(DELETE_INVITATION).bind(organization_id).bind(id);
            let deleted = delete.execute(&mut *transaction).await?.rows_affected();
            if organization.status != Status::Active || deleted == 0 {
                return Ok(Acceptance::NoInvitation);
            }
            let find = sqlx::query_as(FIND_MEMBER).bind(organization_id).bind(user);
            let member: Option<Member> = find.fetch_optional(&mut *transaction).await?;
            if member.is_some() {
                return Ok(Acceptance::MemberAlready);
            }
            if role == Role::Owner {
                may_own!(self.caps, user, transaction);
            } else {
                lock_active_user!(user, transaction);
            }
            let insert = sqlx::query(INSERT_MEMBER).bind(organization_id).bind(user).bind(role).bind(now);
            insert.execute(&mut *transaction).await?;
            record!(transaction, joined, now)?;
            if let Some(grant) = grant {
                grant_within_cap!(self.caps, grant, organization_id, user, Actor::User(user), transaction, now);
            }
            transaction.commit().await?;
            Ok(Acceptance::Joined(Membership { organization, role }))
        })
    }
}
