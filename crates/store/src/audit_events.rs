//! Audit events: who did what in an organization, to whom and when. An event is written in the transaction of its change,
//! so that there is neither a change without its event nor an event without its change.

use crate::{
    OrganizationId, Store, StoreError, UnixMillis, UserId,
    db::{db, rows, statements},
    ids::AuditEventId,
    words::words,
};

statements! {
    INSERT_AUDIT_EVENT = "INSERT INTO audit_events \
        (organization_id, id, actor_id, action, user_id, subject_id, old_value, new_value, created_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    LIST_AUDIT_EVENTS = "SELECT id, actor_id, action, user_id, subject_id, old_value, new_value, created_at \
        FROM audit_events WHERE organization_id = $1 AND id > $2 ORDER BY id LIMIT $3";
}

words! {
    "an audited action";
    /// What was done.
    pub enum Action {
        /// The organization was made.
        #[strum(serialize = "organization.created")]
        OrganizationCreated,
        /// Its name was changed.
        #[strum(serialize = "organization.renamed")]
        OrganizationRenamed,
        /// An operator closed it.
        #[strum(serialize = "organization.suspended")]
        OrganizationSuspended,
        /// An operator opened it again.
        #[strum(serialize = "organization.activated")]
        OrganizationActivated,
        /// It was closed for good.
        #[strum(serialize = "organization.archived")]
        OrganizationArchived,
        /// A user became a member.
        #[strum(serialize = "member.joined")]
        MemberJoined,
        /// A member got another role.
        #[strum(serialize = "member.role-changed")]
        MemberRoleChanged,
        /// A member was removed.
        #[strum(serialize = "member.removed")]
        MemberRemoved,
        /// A member left.
        #[strum(serialize = "member.left")]
        MemberLeft,
        /// A member was entitled to a product.
        #[strum(serialize = "entitlement.granted")]
        EntitlementGranted,
        /// An entitlement got another limit or another end.
        #[strum(serialize = "entitlement.changed")]
        EntitlementChanged,
        /// An entitlement was interrupted.
        #[strum(serialize = "entitlement.suspended")]
        EntitlementSuspended,
        /// An entitlement that was interrupted goes on.
        #[strum(serialize = "entitlement.activated")]
        EntitlementActivated,
        /// An entitlement was taken away.
        #[strum(serialize = "entitlement.revoked")]
        EntitlementRevoked,
        /// A code was made with which a user may become a member.
        #[strum(serialize = "invitation.created")]
        InvitationCreated,
        /// Such a code was made useless.
        #[strum(serialize = "invitation.revoked")]
        InvitationRevoked,
        /// A token was made that works in this organization only.
        #[strum(serialize = "token.created")]
        TokenCreated,
        /// Such a token was revoked.
        #[strum(serialize = "token.revoked")]
        TokenRevoked,
        /// What reviewers are to know was changed.
        #[strum(serialize = "review-guidelines.changed")]
        ReviewGuidelinesChanged,
        /// What reviewers were to know was removed.
        #[strum(serialize = "review-guidelines.removed")]
        ReviewGuidelinesRemoved,
    }
}

/// Who does something.
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

/// Something that is being done in an organization.
#[derive(Debug, Clone)]
pub(crate) struct NewEvent {
    pub(crate) organization: OrganizationId,
    pub(crate) actor: Actor,
    pub(crate) action: Action,
    /// Whom it is done to.
    pub(crate) user: Option<UserId>,
    /// The token, the invitation or the product that it is about.
    pub(crate) subject: Option<String>,
    pub(crate) old_value: Option<String>,
    pub(crate) new_value: Option<String>,
}

impl NewEvent {
    pub(crate) fn new(organization: OrganizationId, actor: Actor, action: Action) -> Self {
        Self { organization, actor, action, user: None, subject: None, old_value: None, new_value: None }
    }

    pub(crate) fn to(self, user: UserId) -> Self {
        Self { user: Some(user), ..self }
    }

    pub(crate) fn on(self, subject: &(impl ToString + ?Sized)) -> Self {
        Self { subject: Some(subject.to_string()), ..self }
    }

    pub(crate) fn change(self, old: Option<String>, new: Option<String>) -> Self {
        Self { old_value: old, new_value: new, ..self }
    }
}

/// Writes an event into the transaction of its change.
macro_rules! record {
    ($transaction:expr, $event:expr, $now:expr) => {{
        use $crate::audit_events::{INSERT_AUDIT_EVENT, NewEvent};
        let event: NewEvent = $event;
        let insert = sqlx::query(INSERT_AUDIT_EVENT).bind(event.organization);
        let insert = insert.bind($crate::ids::AuditEventId::new($now)).bind(event.actor.user()).bind(event.action);
        let insert = insert.bind(event.user).bind(event.subject).bind(event.old_value).bind(event.new_value);
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

/// Something that was done in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEvent {
    /// Names the event.
    pub id: AuditEventId,
    /// Who did it.
    pub actor: Actor,
    /// What was done.
    pub action: Action,
    /// Whom it was done to; they may have left since.
    pub user: Option<UserId>,
    /// The token, the invitation or the product that it was about.
    pub subject: Option<String>,
    /// What was before, such as a role.
    pub old_value: Option<String>,
    /// What is after.
    pub new_value: Option<String>,
    /// When it was done.
    pub created_at: UnixMillis,
}

impl From<AuditEventRow> for AuditEvent {
    fn from(row: AuditEventRow) -> Self {
        let AuditEventRow { id, actor_id, action, user_id, subject_id, old_value, new_value, created_at } = row;
        let actor = actor_id.map_or(Actor::CommandLine, Actor::User);
        Self { id, actor, action, user: user_id, subject: subject_id, old_value, new_value, created_at }
    }
}

impl Store {
    /// What was done in an organization, at most `limit` events, the newest last; with `after`, those that come after it.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
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
