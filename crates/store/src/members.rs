//! Members: which user is in which organization, and as what.

use crate::{
    Organization, OrganizationId, Status, Store, StoreError, UnixMillis, UserId,
    db::{db, rows, statements},
    words::words,
};

statements! {
    INSERT_MEMBER = "INSERT INTO members (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)";
    LIST_MEMBERS = "SELECT members.user_id, users.name AS user_name, members.role, members.created_at \
        FROM members JOIN users ON users.id = members.user_id \
        WHERE members.organization_id = $1 ORDER BY members.user_id";
}

words! {
    "a role: owner, admin or member";
    /// What a member may do in an organization.
    pub enum Role {
        /// Everything.
        Owner = "owner",
        /// Everything except what concerns the organization's existence and its owners.
        Admin = "admin",
        /// To use it.
        Member = "member",
    }
}

/// An organization as one of its members sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Membership {
    /// The organization.
    pub organization: Organization,
    /// The member's role in it.
    pub role: Role,
}

rows! {
    /// A user as seen from an organization.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Member {
        /// The member.
        pub user_id: UserId,
        /// The member's name.
        pub user_name: String,
        /// The member's role.
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
        let MembershipRow { id, name, status, created_at, role } = row;
        Self { organization: Organization { id, name, status, created_at }, role }
    }
}

impl Store {
    /// Makes a user a member of an organization, in whatever state it is.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when either does not exist, [`StoreError::Conflict`] when the user is a member
    /// already; [`StoreError::Unavailable`].
    pub async fn add_member(
        &self,
        organization: OrganizationId,
        user: UserId,
        role: Role,
        now: UnixMillis,
    ) -> Result<(), StoreError> {
        let result = db!(&self.db, pool => {
            let insert = sqlx::query(INSERT_MEMBER).bind(organization).bind(user).bind(role).bind(now);
            insert.execute(pool).await.map(drop)
        });
        result.map_err(|error| StoreError::constraint(error, "the user is a member already", "organization or user"))
    }

    /// The members of an organization, by the age of their accounts, the newest last.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn list_members(&self, organization: OrganizationId) -> Result<Vec<Member>, StoreError> {
        Ok(db!(&self.db, pool => sqlx::query_as(LIST_MEMBERS).bind(organization).fetch_all(pool).await?))
    }
}
