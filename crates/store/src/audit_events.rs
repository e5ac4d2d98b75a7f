//! Audit events: who did what in an organization, to whom and when. An event is written in the same transaction as its
//! change, so neither exists without the other. It holds IDs, names, roles and states, never text about code.

use crate::db::{db, rows, statements};
use crate::error::StoreError;
use crate::ids::{AuditEventId, OrganizationId, UserId};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::words::words;
use async_recursion::async_recursion as boxed;

statements! {
    INSERT_AUDIT_EVENT = "INSERT INTO audit_events \
        (organization_id, id, actor_id, action, user_id, subject_id, old_value, new_value, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    LIST_AUDIT_EVENTS = "SELECT id, actor_id, action, user_id, subject_id, old_value, new_value, created_at \
        FROM audit_events WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}

words! {
    "an audited action";
    /// The action.
    pub enum Action {
        /// The organization was created.
        #[strum(serialize = "organization.created")]
        OrganizationCreated,
        /// The organization was renamed.
        #[strum(serialize = "organization.renamed")]
        OrganizationRenamed,
        /// An operator suspended the organization.
        #[strum(serialize = "organization.suspended")]
        OrganizationSuspended,
        /// An operator reactivated the organization.
        #[strum(serialize = "organization.activated")]
        OrganizationActivated,
        /// The organization was archived, which is final.
        #[strum(serialize = "organization.archived")]
        OrganizationArchived,
        /// A user became a member.
        #[strum(serialize = "member.joined")]
        MemberJoined,
        /// A member's role changed.
        #[strum(serialize = "member.role-changed")]
        MemberRoleChanged,
        /// A member was removed.
        #[strum(serialize = "member.removed")]
        MemberRemoved,
        /// A member left.
        #[strum(serialize = "member.left")]
        MemberLeft,
        /// A member was granted a product.
        #[strum(serialize = "entitlement.granted")]
        EntitlementGranted,
        /// An entitlement's limit or expiry changed.
        #[strum(serialize = "entitlement.changed")]
        EntitlementChanged,
        /// An entitlement was suspended.
        #[strum(serialize = "entitlement.suspended")]
        EntitlementSuspended,
        /// A suspended entitlement was reactivated.
        #[strum(serialize = "entitlement.activated")]
        EntitlementActivated,
        /// An entitlement was revoked.
        #[strum(serialize = "entitlement.revoked")]
        EntitlementRevoked,
        /// An invitation was created.
        #[strum(serialize = "invitation.created")]
        InvitationCreated,
        /// An invitation was revoked.
        #[strum(serialize = "invitation.revoked")]
        InvitationRevoked,
        /// A token that is bound to this organization was created.
        #[strum(serialize = "token.created")]
        TokenCreated,
        /// A token that is bound to this organization was revoked.
        #[strum(serialize = "token.revoked")]
        TokenRevoked,
        /// The operator disabled a member's user account.
        #[strum(serialize = "user.disabled")]
        UserDisabled,
        /// The operator enabled a member's user account.
        #[strum(serialize = "user.enabled")]
        UserEnabled,
        /// The operator deleted a member's user account.
        #[strum(serialize = "user.deleted")]
        UserDeleted,
        /// The review guidelines were changed.
        #[strum(serialize = "review-guidelines.changed")]
        ReviewGuidelinesChanged,
        /// The review guidelines were deleted.
        #[strum(serialize = "review-guidelines.removed")]
        ReviewGuidelinesRemoved,
    }
}

/// The actor of an audit event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    /// A user, through the service.
    User(UserId),
    /// The operator, at the command line.
    CommandLine,
}

impl Actor {
    pub(crate) fn user(self) -> Option<UserId> {
        match self {
            Self::User(user) => Some(user),
            Self::CommandLine => None,
        }
    }
}

/// An audit event to be written.
#[derive(Debug, Clone)]
pub(crate) struct NewEvent {
    pub(crate) organization: OrganizationId,
    pub(crate) actor: Actor,
    pub(crate) action: Action,
    /// The affected user.
    pub(crate) user: Option<UserId>,
    /// The affected token, invitation or product.
    pub(crate) subject: Option<String>,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
}

impl NewEvent {
    pub(crate) fn new(organization: OrganizationId, actor: Actor, action: Action) -> Self {
        Self {
            organization,
            actor,
            action,
            user: None,
            subject: None,
            old_value: None,
            new_value: None,
        }
    }

    pub(crate) fn to(self, user: UserId) -> Self {
        Self {
            user: Some(user),
            ..self
        }
    }

    pub(crate) fn on(self, subject: &(impl ToString + ?Sized)) -> Self {
        Self {
            subject: Some(subject.to_string()),
            ..self
        }
    }

    pub(crate) fn change(self, old: Option<String>, new: Option<String>) -> Self {
        Self {
            old_value: old,
            new_value: new,
            ..self
        }
    }
}

/// Writes an event in the transaction of its change.
macro_rules! record {
    ($transaction:expr, $event:expr, $now:expr) => {{
        use $crate::audit_events::{INSERT_AUDIT_EVENT, NewEvent};
        let event: NewEvent = $event;
        let insert = sqlx::query(INSERT_AUDIT_EVENT).bind(event.organization);
        let insert = insert
            .bind($crate::ids::AuditEventId::new($now))
            .bind(event.actor.user())
            .bind(event.action);
        let insert = insert
            .bind(event.user)
            .bind(event.subject)
            .bind(event.old_value)
            .bind(event.new_value);
        insert.bind($now).execute(&mut *$transaction).await
    }};
}

pub(crate) use record;

rows! {
    struct AuditEventRow {
        id: AuditEventId,
        actor_id: Option<UserId>,
        action: Action,
        user_id: Option<UserId>,
        subject_id: Option<String>,
        old_value: Option<String>,
        new_value: Option<String>,
        created_at: UnixMillis,
    }
}

/// A recorded action in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// The event's ID.
    pub id: AuditEventId,
    /// The actor.
    pub actor: Actor,
    /// The action.
    pub action: Action,
    /// The affected user, who may have left since.
    pub user: Option<UserId>,
    /// The affected token, invitation or product.
    pub subject: Option<String>,
    /// The previous value, such as a role.
    pub old_value: Option<String>,
    /// The new value.
    pub new_value: Option<String>,
    /// When it happened.
    pub created_at: UnixMillis,
}

impl From<AuditEventRow> for AuditEvent {
    fn from(row: AuditEventRow) -> Self {
        let AuditEventRow {
            id,
            actor_id,
            action,
            user_id,
            subject_id,
            old_value,
            new_value,
            created_at,
        } = row;
        let actor = actor_id.map_or(Actor::CommandLine, Actor::User);
        Self {
            id,
            actor,
            action,
            user: user_id,
            subject: subject_id,
            old_value,
            new_value,
            created_at,
        }
    }
}

impl Store {
    /// Lists an organization's audit events: at most `limit`, oldest first, starting after `after`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn list_audit_events(
        &self,
        organization: OrganizationId,
        after: Option<AuditEventId>,
        limit: u32,
    ) -> Result<Vec<AuditEvent>, StoreError> {
        let after = after.map(|id| id.to_string()).unwrap_or_default();
        let rows: Vec<AuditEventRow> = db!(&self.db, pool => {
            let list = sqlx::query_as(LIST_AUDIT_EVENTS).bind(organization).bind(after).bind(i64::from(limit));
            list.fetch_all(pool).await?
        });
        Ok(rows.into_iter().map(AuditEvent::from).collect())
    }
}
