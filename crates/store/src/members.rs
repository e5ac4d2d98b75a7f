//! Members: which user is in which organization, in which role.

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::automatic_grants::END_GRANT;
use crate::caps::{lock_active_user, may_own};
use crate::db::{BeginWrite, db, rows, statements};
use crate::error::StoreError;
use crate::ids::{InvitationId, OrganizationId, UserId};
use crate::month::Month;
use crate::organization::{Organization, Status};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::words::words;
use async_recursion::async_recursion as boxed;

statements! {
    INSERT_MEMBER = "INSERT INTO members (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)";
    LIST_MEMBERS = "SELECT members.user_id, users.name AS user_name, members.role, members.created_at \
        FROM members JOIN users ON users.id = members.user_id \
        WHERE members.organization_id = $1 AND members.user_id > $2 ORDER BY members.user_id LIMIT $3";
    FIND_MEMBER = "SELECT members.user_id, users.name AS user_name, members.role, members.created_at \
        FROM members JOIN users ON users.id = members.user_id \
        WHERE members.organization_id = $1 AND members.user_id = $2";
    /// Active owners other than this one.
    COUNT_OTHER_OWNERS = "SELECT COUNT(*) FROM members JOIN users ON users.id = members.user_id \
        WHERE members.organization_id = $1 AND members.role = 'owner' AND members.user_id <> $2 \
        AND users.status = 'active'";
    /// A no-op update that locks the organization's row: otherwise two owners who remove each other would both count two
    /// owners.
    LOCK_ORGANIZATION = "UPDATE organizations SET status = status WHERE id = $1";
    SET_ROLE = "UPDATE members SET role = $3 WHERE organization_id = $1 AND user_id = $2";
    /// Cascades to the member's entitlements.
    DELETE_MEMBER = "DELETE FROM members WHERE organization_id = $1 AND user_id = $2";
    /// A member's open invitations: all of them ($3), or only those that grant ownership ($4).
    DELETE_INVITATIONS_OF = "DELETE FROM invitations WHERE organization_id = $1 AND created_by = $2 \
        AND ($3 OR ($4 AND role = 'owner')) AND expires_at > $5 RETURNING id";
}

words! {
    "a role: owner, admin or member";
    /// A member's permissions in an organization.
    pub enum Role {
        /// Everything.
        Owner,
        /// Everything except archiving the organization and managing its owners.
        Admin,
        /// Using the product.
        Member,
    }
}

impl Role {
    /// Whether a member in this role may move a member (possibly themselves) from one role to another, or remove them.
    /// Admins cannot appoint or change owners; any member may leave.
    #[must_use]
    pub fn may_move(self, themselves: bool, from: Self, to: Option<Self>) -> bool {
        match self {
            Self::Owner => true,
            Self::Admin => from != Self::Owner && to != Some(Self::Owner),
            Self::Member => themselves && to.is_none(),
        }
    }

    /// Whether a member in this role may invite someone in that role.
    #[must_use]
    pub fn may_invite(self, role: Self) -> bool {
        self.may_move(false, Self::Member, Some(role))
    }
}

/// The outcome of a change to a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberChange {
    /// Done: the changed or removed member.
    Done(Member),
    /// No such member.
    NoMember,
    /// [`Role::may_move`] forbids it, or the caller is no longer a member.
    NotAllowed,
    /// It would leave the organization without an active owner.
    LastOwner,
}

/// An organization and the caller's role in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The organization.
    pub organization: Organization,
    /// The member's role in it.
    pub role: Role,
}

rows! {
    /// A user as a member of an organization.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Member {
        /// The user.
        pub user_id: UserId,
        /// The user's name.
        pub user_name: String,
        /// The role.
        pub role: Role,
        /// When the user became a member.
        pub created_at: UnixMillis,
    }

    pub(crate) struct MembershipRow {
        id: OrganizationId,
        name: String,
        status: Status,
        created_at: UnixMillis,
        role: Role,
    }
}

impl From<MembershipRow> for Membership {
    fn from(row: MembershipRow) -> Self {
        let MembershipRow {
            id,
            name,
            status,
            created_at,
            role,
        } = row;
        Self {
            organization: Organization {
                id,
                name,
                status,
                created_at,
            },
            role,
        }
    }
}

impl Store {
    /// Adds a user to an organization in any state, for the operator at the command line.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when either does not exist, [`StoreError::Conflict`] when the user is already a member, or is
    /// disabled or deleted; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn add_member(
        &self,
        organization: OrganizationId,
        user: UserId,
        role: Role,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let refused = |error| {
            StoreError::constraint(
                error, "the user is already a member", "organization or user",
            )
        };
        let joined = NewEvent::new(organization, Actor::CommandLine, Action::MemberJoined).to(user);
        let joined = joined.change(None, Some(role.to_string()));
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            lock_active_user!(user, transaction);
            let insert = sqlx::query(INSERT_MEMBER).bind(organization).bind(user).bind(role).bind(now);
            insert.execute(&mut *transaction).await.map_err(refused)?;
            record!(transaction, joined, now).map_err(refused)?;
            transaction.commit().await.map_err(refused)
        })
    }

    /// Lists the members of an organization by the age of their accounts: at most `limit`, oldest first, starting
    /// after the user `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_members(
        &self,
        organization: OrganizationId,
        after: Option<UserId>,
        limit: u32,
    ) -> Result<Vec<Member>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        Ok(db!(&self.db, pool => {
            sqlx::query_as(LIST_MEMBERS).bind(organization).bind(after).bind(i64::from(limit)).fetch_all(pool).await?
        }))
    }

    /// Finds a member of an organization.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_member(
        &self,
        organization: OrganizationId,
        user: UserId,
    ) -> Result<Option<Member>, StoreError> {
        Ok(
            db!(&self.db, pool => sqlx::query_as(FIND_MEMBER).bind(organization).bind(user).fetch_optional(pool).await?),
        )
    }

    /// Changes a member's role if the member `actor` may do so. Changes to the members of one organization are serialized, so
    /// it always has an owner. Invitations that the member could no longer create in the new role are deleted.
    ///
    /// # Errors
    /// [`StoreError::Full`] when a new owner has reached the cap on owned organizations; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn set_member_role(
        &self,
        organization: OrganizationId,
        actor: UserId,
        user: UserId,
        role: Role,
        now: UnixMillis,
    ) -> Result<MemberChange, StoreError> {
        self.move_member(organization, Actor::User(actor), user, Some(role), now)
            .await
    }

    /// Like [`Store::set_member_role`], but for the operator at the command line, without caps.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn assign_member_role(
        &self,
        organization: OrganizationId,
        user: UserId,
        role: Role,
        now: UnixMillis,
    ) -> Result<MemberChange, StoreError> {
        self.move_member(organization, Actor::CommandLine, user, Some(role), now)
            .await
    }

    /// Removes a member with their entitlements and invitations, if the member `actor` may do so.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn remove_member(
        &self,
        organization: OrganizationId,
        actor: UserId,
        user: UserId,
        now: UnixMillis,
    ) -> Result<MemberChange, StoreError> {
        self.move_member(organization, Actor::User(actor), user, None, now)
            .await
    }

    async fn move_member(
        &self,
        organization: OrganizationId,
        actor: Actor,
        user: UserId,
        to: Option<Role>,
        now: UnixMillis,
    ) -> Result<MemberChange, StoreError> {
        let action = match to {
            Some(_) => Action::MemberRoleChanged,
            None if actor == Actor::User(user) => Action::MemberLeft,
            None => Action::MemberRemoved,
        };
        let event = |action| NewEvent::new(organization, actor, action);
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            sqlx::query(LOCK_ORGANIZATION).bind(organization).execute(&mut *transaction).await?;
            let find = sqlx::query_as(FIND_MEMBER).bind(organization).bind(user);
            let found: Option<Member> = find.fetch_optional(&mut *transaction).await?;
            let Some(member) = found else { return Ok(MemberChange::NoMember) };
            if let Actor::User(actor) = actor {
                let find = sqlx::query_as(FIND_MEMBER).bind(organization).bind(actor);
                let acting: Option<Member> = find.fetch_optional(&mut *transaction).await?;
                if !acting.is_some_and(|acting| acting.role.may_move(actor == user, member.role, to)) {
                    return Ok(MemberChange::NotAllowed);
                }
            }
            if member.role == Role::Owner && to != Some(Role::Owner) {
                let count = sqlx::query_scalar(COUNT_OTHER_OWNERS).bind(organization).bind(user);
                let others: i64 = count.fetch_one(&mut *transaction).await?;
                if others == 0 {
                    return Ok(MemberChange::LastOwner);
                }
            }
            if let Some(role) = to {
                if role == Role::Owner && member.role != Role::Owner && actor != Actor::CommandLine {
                    may_own!(self.caps, user, transaction);
                }
                let set = sqlx::query(SET_ROLE).bind(organization).bind(user).bind(role);
                set.execute(&mut *transaction).await?;
            } else {
                let delete = sqlx::query(DELETE_MEMBER).bind(organization).bind(user);
                delete.execute(&mut *transaction).await?;
                let end = sqlx::query(END_GRANT).bind(organization).bind(user).bind(Month::of_end(now));
                end.execute(&mut *transaction).await?;
            }
            if to != Some(member.role) {
                let change = (Some(member.role.to_string()), to.map(|to| to.to_string()));
                record!(transaction, event(action).to(user).change(change.0, change.1), now)?;
            }
            let (end_all, end_owners) = (!to.is_some_and(|to| to.may_invite(Role::Member)), to != Some(Role::Owner));
            let end = sqlx::query_scalar(DELETE_INVITATIONS_OF).bind(organization).bind(user);
            let end = end.bind(end_all).bind(end_owners).bind(now);
            let ended: Vec<InvitationId> = end.fetch_all(&mut *transaction).await?;
            for invitation in ended {
                record!(transaction, event(Action::InvitationRevoked).on(&invitation), now)?;
            }
            transaction.commit().await?;
            Ok(MemberChange::Done(Member { role: to.unwrap_or(member.role), ..member }))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Role::{self, Admin, Member, Owner};

    #[test]
    fn roles_have_exactly_these_permissions() {
        let roles = || Role::ALL.iter().copied();
        let targets: Vec<Option<Role>> = roles().map(Some).chain([None]).collect();
        for (from, &to) in roles().flat_map(|from| targets.iter().map(move |to| (from, to))) {
            for themselves in [true, false] {
                assert!(Owner.may_move(themselves, from, to));
                assert_eq!(
                    Admin.may_move(themselves, from, to),
                    from != Owner && to != Some(Owner)
                );
                assert_eq!(
                    Member.may_move(themselves, from, to),
                    themselves && to.is_none()
                );
            }
        }
        let invites = |role: Role| {
            roles()
                .filter(|&invited| role.may_invite(invited))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            (invites(Owner), invites(Admin)),
            (vec![Owner, Admin, Member], vec![Admin, Member])
        );
        assert_eq!(invites(Member), []);
    }
}
