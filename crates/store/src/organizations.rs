//! Organizations: the tenants. A user acts only as a member of one.

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::automatic_grants::{END_GRANTS_OF_ORGANIZATION, grant_within_cap};
use crate::caps::{lock_active_user, may_own};
use crate::db::{BeginWrite, db, statements};
use crate::entitlements::NewEntitlement;
use crate::error::{StoreError, check_text};
use crate::idempotency::{CLAIM_KEY, FIND_KEY, IdempotencyKey, Once, UsedKey};
use crate::ids::{OrganizationId, UserId};
use crate::members::{INSERT_MEMBER, LOCK_ORGANIZATION, Membership, MembershipRow, Role};
use crate::month::Month;
use crate::organization::{Organization, Status};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::tokens::check_maker;
use async_recursion::async_recursion as boxed;

statements! {
    INSERT_ORGANIZATION = "INSERT INTO organizations (id, name, status, created_at) VALUES ($1, $2, $3, $4)";
    FIND_ORGANIZATION = "SELECT id, name, status, created_at FROM organizations WHERE id = $1";
    MOVE_ORGANIZATION = "UPDATE organizations SET status = $2 WHERE id = $1";
    RENAME_ORGANIZATION = "UPDATE organizations SET name = $2 WHERE id = $1";
    LIST_MEMBERSHIPS = "SELECT organizations.id, organizations.name, organizations.status, \
        organizations.created_at, members.role \
        FROM members JOIN organizations ON organizations.id = members.organization_id \
        WHERE members.user_id = $1 AND members.organization_id > $2 AND organizations.status = 'active' \
        ORDER BY members.organization_id LIMIT $3";
    FIND_MEMBERSHIP = "SELECT organizations.id, organizations.name, organizations.status, \
        organizations.created_at, members.role \
        FROM members JOIN organizations ON organizations.id = members.organization_id \
        WHERE members.user_id = $1 AND members.organization_id = $2 AND organizations.status = 'active'";
}

impl Store {
    /// Creates an organization with its owner. A `grant` entitles the owner, but in no more organizations than the caps
    /// allow, so that creating organizations does not multiply the grant.
    ///
    /// # Errors
    /// On error nothing is created. [`StoreError::NotFound`] when the owner is not a user, [`StoreError::Invalid`] for a
    /// name that cannot be stored, [`StoreError::Full`] when the owner has reached the cap; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn insert_organization(
        &self,
        name: &str,
        owner: UserId,
        grant: Option<&NewEntitlement>,
        now: UnixMillis,
    ) -> Result<Organization, StoreError> {
        only(
            self.create(None, name, owner, Actor::User(owner), grant, now)
                .await?,
        )
    }

    /// Like [`Store::insert_organization`], but for the operator at the command line, without the cap on owned
    /// organizations.
    ///
    /// # Errors
    /// As [`Store::insert_organization`]; [`StoreError::Conflict`] when the owner is disabled or deleted.
    #[boxed]
    pub async fn insert_organization_for(
        &self,
        owner: UserId,
        name: &str,
        grant: Option<&NewEntitlement>,
        now: UnixMillis,
    ) -> Result<Organization, StoreError> {
        only(
            self.create(None, name, owner, Actor::CommandLine, grant, now)
                .await?,
        )
    }

    /// Like [`Store::insert_organization`], with `key.user` as the owner, but idempotent: one key creates one
    /// organization within [`crate::IDEMPOTENCY_KEY_LIFE`], also under concurrent calls.
    ///
    /// # Errors
    /// As [`Store::insert_organization`]; also [`StoreError::NotFound`] when the key's token is no longer valid.
    #[boxed]
    pub async fn insert_organization_once(
        &self,
        key: &IdempotencyKey,
        name: &str,
        grant: Option<&NewEntitlement>,
        now: UnixMillis,
    ) -> Result<Once, StoreError> {
        self.create(Some(key), name, key.user, Actor::User(key.user), grant, now)
            .await
    }

    /// Claims the key right after inserting the organization that it refers to: a concurrent request waits there, finds the
    /// first answer and rolls back.
    async fn create(
        &self,
        key: Option<&IdempotencyKey>,
        name: &str,
        owner: UserId,
        actor: Actor,
        grant: Option<&NewEntitlement>,
        now: UnixMillis,
    ) -> Result<Once, StoreError> {
        check_text(name)?;
        let organization = Organization {
            id: OrganizationId::new(now),
            name: name.to_owned(),
            status: Status::Active,
            created_at: now,
        };
        let id = organization.id;
        let created = NewEvent::new(id, actor, Action::OrganizationCreated).to(owner);
        let created = created.change(None, Some(name.to_owned()));
        let no_owner =
            |error| StoreError::constraint(error, "the organization already exists", "user");
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let insert = sqlx::query(INSERT_ORGANIZATION).bind(id).bind(name).bind(Status::Active).bind(now);
            insert.execute(&mut *transaction).await?;
            if let Some(key) = key {
                check_text(&key.key)?;
                let claim = sqlx::query(CLAIM_KEY).bind(owner).bind(&key.key).bind(key.request_digest.as_slice());
                let claim = claim.bind(id).bind(now).bind(key.expires_at(now)).bind(key.made_by);
                if claim.execute(&mut *transaction).await.map_err(no_owner)?.rows_affected() == 0 {
                    let used = sqlx::query_as(FIND_KEY).bind(owner).bind(&key.key);
                    let used: UsedKey = used.fetch_one(&mut *transaction).await?;
                    return Ok(used.answer(key, organization));
                }
            }
            if actor == Actor::CommandLine {
                lock_active_user!(owner, transaction);
            } else {
                may_own!(self.caps, owner, transaction);
                check_maker!(key.and_then(|key| key.made_by), owner, transaction, now);
            }
            let insert = sqlx::query(INSERT_MEMBER).bind(id).bind(owner).bind(Role::Owner).bind(now);
            insert.execute(&mut *transaction).await.map_err(no_owner)?;
            record!(transaction, created, now)?;
            if let Some(grant) = grant {
                grant_within_cap!(self.caps, grant, id, owner, actor, transaction, now);
            }
            transaction.commit().await?;
        });
        Ok(Once::Created(organization))
    }

    /// Lists the active organizations of a user: at most `limit`, oldest first, starting after `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_organizations(
        &self,
        user: UserId,
        after: Option<OrganizationId>,
        limit: u32,
    ) -> Result<Vec<Membership>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let rows: Vec<MembershipRow> = db!(&self.db, pool => {
            sqlx::query_as(LIST_MEMBERSHIPS).bind(user).bind(after).bind(i64::from(limit)).fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(Membership::from).collect())
    }

    /// Finds an active organization and the role of the user, who must be a member. One query, so that a missing, a foreign
    /// and an inactive organization take the same time.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_membership(
        &self,
        user: UserId,
        organization: OrganizationId,
    ) -> Result<Option<Membership>, StoreError> {
        let row: Option<MembershipRow> = db!(&self.db, pool => {
            sqlx::query_as(FIND_MEMBERSHIP).bind(user).bind(organization).fetch_optional(pool).await?
        });
        Ok(row.map(Membership::from))
    }

    /// Renames an active organization. `None` when there is no such active organization.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for a name that cannot be stored; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn rename_organization(
        &self,
        id: OrganizationId,
        actor: Actor,
        name: &str,
        now: UnixMillis,
    ) -> Result<Option<Organization>, StoreError> {
        check_text(name)?;
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            sqlx::query(LOCK_ORGANIZATION).bind(id).execute(&mut *transaction).await?;
            let find = sqlx::query_as(FIND_ORGANIZATION).bind(id);
            let found: Option<Organization> = find.fetch_optional(&mut *transaction).await?;
            let found = found.filter(|organization| organization.status == Status::Active);
            let Some(organization) = found else { return Ok(None) };
            if organization.name == name {
                return Ok(Some(organization));
            }
            sqlx::query(RENAME_ORGANIZATION).bind(id).bind(name).execute(&mut *transaction).await?;
            let event = NewEvent::new(id, actor, Action::OrganizationRenamed);
            let event = event.change(Some(organization.name.clone()), Some(name.to_owned()));
            record!(transaction, event, now)?;
            transaction.commit().await?;
            Ok(Some(Organization { name: name.to_owned(), ..organization }))
        })
    }

    /// Changes the status of an organization. Of two concurrent changes, the second sees the result of the first.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Illegal`] when [`Status::may_become`] forbids it;
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn set_organization_status(
        &self,
        id: OrganizationId,
        status: Status,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Organization, StoreError> {
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            sqlx::query(LOCK_ORGANIZATION).bind(id).execute(&mut *transaction).await?;
            let find = sqlx::query_as(FIND_ORGANIZATION).bind(id);
            let found: Option<Organization> = find.fetch_optional(&mut *transaction).await?;
            let organization = found.ok_or(StoreError::NotFound("organization"))?;
            let from = organization.status;
            if !from.may_become(status) {
                return Err(StoreError::Illegal { what: "organization", from: from.as_str(), to: status.as_str() });
            }
            sqlx::query(MOVE_ORGANIZATION).bind(id).bind(status).execute(&mut *transaction).await?;
            if status == Status::Archived {
                let end = sqlx::query(END_GRANTS_OF_ORGANIZATION).bind(id).bind(Month::of_end(now));
                end.execute(&mut *transaction).await?;
            }
            let event = NewEvent::new(id, actor, action_to(status));
            record!(transaction, event.change(Some(from.to_string()), Some(status.to_string())), now)?;
            transaction.commit().await?;
            Ok(Organization { status, ..organization })
        })
    }
}

/// The organization of a create without an idempotency key.
fn only(created: Once) -> Result<Organization, StoreError> {
    match created {
        Once::Created(organization) | Once::Replayed(organization) => Ok(organization),
        Once::Conflict => Err(StoreError::Conflict(
            "the idempotency key was used for another request",
        )),
    }
}

/// The audited action of a change to this status.
fn action_to(status: Status) -> Action {
    match status {
        Status::Active => Action::OrganizationActivated,
        Status::Suspended => Action::OrganizationSuspended,
        Status::Archived => Action::OrganizationArchived,
    }
}
