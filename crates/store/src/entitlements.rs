//! Entitlements: which member may use which product, from when, until when and how often.
//!
//! none → active ⇄ suspended → expired or revoked. A grant makes one active from any state. Nobody has to come by
//! to expire one: every reading compares the time.

use crate::{
    Action, Actor, OrganizationId, Store, StoreError, UnixMillis, UserId,
    audit_events::{NewEvent, record},
    db::{BeginWrite, db, rows, statements},
    error::check_text,
    words::words,
};

statements! {
    GRANT_ENTITLEMENT = "INSERT INTO entitlements \
        (organization_id, user_id, product, status, starts_at, expires_at, monthly_review_limit) \
        VALUES ($1, $2, $3, 'active', $4, $5, $6) \
        ON CONFLICT (organization_id, user_id, product) DO UPDATE SET status = excluded.status, \
        starts_at = excluded.starts_at, expires_at = excluded.expires_at, \
        monthly_review_limit = excluded.monthly_review_limit";
    CHANGE_ENTITLEMENT = "UPDATE entitlements SET status = $4, expires_at = $5, monthly_review_limit = $6 \
        WHERE organization_id = $1 AND user_id = $2 AND product = $3";
    FIND_ENTITLEMENT = "SELECT organization_id, user_id, product, status, starts_at, expires_at, \
        monthly_review_limit FROM entitlements WHERE organization_id = $1 AND user_id = $2 AND product = $3";
    LIST_ENTITLEMENTS = "SELECT organization_id, user_id, product, status, starts_at, expires_at, \
        monthly_review_limit FROM entitlements WHERE organization_id = $1 AND user_id = $2 ORDER BY product";
    COUNT_MEMBER = "SELECT COUNT(*) FROM members WHERE organization_id = $1 AND user_id = $2";
    /// Changes nothing: who changes entitlements of one member queues for the member's row, and who is no member has none.
    HOLD_MEMBER = "UPDATE members SET role = role WHERE organization_id = $1 AND user_id = $2";
}

words! {
    "a status: active, suspended, expired or revoked";
    /// Where an entitlement is in its life.
    pub enum EntitlementStatus {
        /// It allows the use of the product.
        Active,
        /// It does not, but may again.
        Suspended,
        /// Its time is over.
        Expired,
        /// It was taken away.
        Revoked,
    }
}

impl EntitlementStatus {
    /// active ⇄ suspended; either → revoked. Only time makes one expired, and only a grant brings one back.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use EntitlementStatus::{Active, Revoked, Suspended};
        matches!((self, next), (Active, Suspended | Revoked) | (Suspended, Active | Revoked))
    }
}

/// What is granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntitlement {
    /// The product, such as `diff-review`.
    pub product: String,
    /// From this millisecond on it is expired; never, when there is none.
    pub expires_at: Option<UnixMillis>,
    /// Reviews in a calendar month; any number, when there is none.
    pub monthly_review_limit: Option<i64>,
}

/// What is to become of an entitlement, whatever it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntitlementChange {
    /// The product, such as `diff-review`.
    pub product: String,
    /// Active or suspended.
    pub status: EntitlementStatus,
    /// From this millisecond on it is expired; `Some(None)` for never, `None` to leave it as it is.
    pub expires_at: Option<Option<UnixMillis>>,
    /// Reviews in a calendar month; `Some(None)` for any number, `None` to leave it as it is.
    pub monthly_review_limit: Option<Option<i64>>,
}

/// A member's right to use a product, as it is at the time of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entitlement {
    /// In which organization.
    pub organization: OrganizationId,
    /// Whose it is.
    pub user: UserId,
    /// The product.
    pub product: String,
    /// Where it is in its life.
    pub status: EntitlementStatus,
    /// When it was granted.
    pub starts_at: UnixMillis,
    /// From this millisecond on it is expired.
    pub expires_at: Option<UnixMillis>,
    /// Reviews in a calendar month.
    pub monthly_review_limit: Option<i64>,
}

rows! {
    struct EntitlementRow {
        organization_id: OrganizationId,
        user_id: UserId,
        product: String,
        status: EntitlementStatus,
        starts_at: UnixMillis,
        expires_at: Option<UnixMillis>,
        monthly_review_limit: Option<i64>,
    }
}

impl EntitlementRow {
    fn at(self, now: UnixMillis) -> Entitlement {
        let over = self.expires_at.is_some_and(|expiry| expiry <= now);
        let revoked = self.status == EntitlementStatus::Revoked;
        Entitlement {
            organization: self.organization_id,
            user: self.user_id,
            product: self.product,
            status: if over && !revoked { EntitlementStatus::Expired } else { self.status },
            starts_at: self.starts_at,
            expires_at: self.expires_at,
            monthly_review_limit: self.monthly_review_limit,
        }
    }
}

impl Entitlement {
    /// This one in another status.
    fn moved_to(self, status: EntitlementStatus) -> Result<Self, StoreError> {
        if !self.status.may_become(status) {
            return Err(illegal(self.status.as_str(), status));
        }
        Ok(Self { status, ..self })
    }

    /// As an audit event tells it: the status, then the terms, if there are any; the expiry in milliseconds since 1970.
    fn told(&self) -> String {
        let limit = self.monthly_review_limit.map(|limit| format!(" limit={limit}")).unwrap_or_default();
        let expiry = self.expires_at.map(|expiry| format!(" expires={expiry}")).unwrap_or_default();
        format!("{}{limit}{expiry}", self.status)
    }
}

impl EntitlementChange {
    /// What `before` becomes. One that is over, like one that never was, can only be granted, on new terms.
    fn apply(self, whose: Whose<'_>, before: Option<Entitlement>, now: UnixMillis) -> Result<Entitlement, StoreError> {
        use EntitlementStatus::{Active, Suspended};
        match before {
            Some(before) if matches!(before.status, Active | Suspended) => {
                let after = if before.status == self.status { before } else { before.moved_to(self.status)? };
                Ok(Entitlement {
                    expires_at: self.expires_at.unwrap_or(after.expires_at),
                    monthly_review_limit: self.monthly_review_limit.unwrap_or(after.monthly_review_limit),
                    ..after
                })
            }
            _ if self.status == Active => {
                Ok(whose.granted(self.expires_at.flatten(), self.monthly_review_limit.flatten(), now))
            }
            before => Err(illegal(before.map_or("none", |before| before.status.as_str()), self.status)),
        }
    }
}

fn illegal(from: &'static str, to: EntitlementStatus) -> StoreError {
    StoreError::Illegal { what: "entitlement", from, to: to.as_str() }
}

/// Which entitlement is meant.
#[derive(Clone, Copy)]
struct Whose<'a> {
    organization: OrganizationId,
    user: UserId,
    product: &'a str,
}

impl Whose<'_> {
    /// A new one, from now on.
    fn granted(
        self,
        expires_at: Option<UnixMillis>,
        monthly_review_limit: Option<i64>,
        now: UnixMillis,
    ) -> Entitlement {
        let Whose { organization, user, product } = self;
        let (product, status, starts_at) = (product.to_owned(), EntitlementStatus::Active, now);
        Entitlement { organization, user, product, status, starts_at, expires_at, monthly_review_limit }
    }
}

/// What is told of a change; nothing where nothing changes.
fn action(before: Option<&Entitlement>, after: &Entitlement) -> Option<Action> {
    let Some(before) = before.filter(|before| before.starts_at == after.starts_at) else {
        return Some(Action::EntitlementGranted);
    };
    match (before.status, after.status) {
        (from, to) if from == to => (before != after).then_some(Action::EntitlementChanged),
        (_, EntitlementStatus::Suspended) => Some(Action::EntitlementSuspended),
        (EntitlementStatus::Suspended, EntitlementStatus::Active) => Some(Action::EntitlementActivated),
        (_, EntitlementStatus::Active) => Some(Action::EntitlementGranted),
        _ => Some(Action::EntitlementRevoked),
    }
}

impl NewEvent {
    /// That a new member is entitled at once.
    pub(crate) fn granted(organization: OrganizationId, member: UserId, grant: &NewEntitlement) -> Self {
        let event = Self::new(organization, Actor::User(member), Action::EntitlementGranted);
        event.to(member).on(&grant.product).change(None, Some("active".to_owned()))
    }
}

impl Store {
    /// Entitles a member to a product from now on, whatever was before.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is no member of the organization, [`StoreError::Invalid`] for a limit
    /// below 0; [`StoreError::Unavailable`].
    pub async fn grant_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        new: &NewEntitlement,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let whose = Whose { organization, user, product: &new.product };
        let granted = whose.granted(new.expires_at, new.monthly_review_limit, now);
        self.write_entitlement(whose, actor, now, |_| Ok(granted)).await
    }

    /// Makes a member's entitlement what `change` says: grants it, moves it, or gives it other terms.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is no member of the organization, [`StoreError::Illegal`] for a step that
    /// there is not, [`StoreError::Invalid`] for a limit below 0; [`StoreError::Unavailable`].
    pub async fn change_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        change: EntitlementChange,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let product = change.product.clone();
        let whose = Whose { organization, user, product: &product };
        self.write_entitlement(whose, actor, now, |before| change.apply(whose, before, now)).await
    }

    /// Moves an entitlement to another status.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is no member of the organization or was never entitled,
    /// [`StoreError::Illegal`] where [`EntitlementStatus::may_become`] says no; [`StoreError::Unavailable`].
    pub async fn set_entitlement_status(
        &self,
        organization: OrganizationId,
        user: UserId,
        product: &str,
        status: EntitlementStatus,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let whose = Whose { organization, user, product };
        let missing = StoreError::NotFound("entitlement");
        self.write_entitlement(whose, actor, now, |before| before.ok_or(missing)?.moved_to(status)).await
    }

    /// Reads, lets `decide` say what is to be, and writes that with its event. Changes of one member's entitlements are
    /// made one after the other.
    async fn write_entitlement(
        &self,
        whose: Whose<'_>,
        actor: Actor,
        now: UnixMillis,
        decide: impl FnOnce(Option<Entitlement>) -> Result<Entitlement, StoreError> + Send,
    ) -> Result<Entitlement, StoreError> {
        let Whose { organization, user, product } = whose;
        check_text(product)?;
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let hold = sqlx::query(HOLD_MEMBER).bind(organization).bind(user);
            if hold.execute(&mut *transaction).await?.rows_affected() == 0 {
                return Err(StoreError::NotFound("member"));
            }
            let find = sqlx::query_as(FIND_ENTITLEMENT).bind(organization).bind(user).bind(product);
            let found: Option<EntitlementRow> = find.fetch_optional(&mut *transaction).await?;
            let before = found.map(|row| row.at(now));
            let after = decide(before.clone())?;
            let Some(action) = action(before.as_ref(), &after) else { return Ok(after) };
            let write = if action == Action::EntitlementGranted {
                let grant = sqlx::query(GRANT_ENTITLEMENT).bind(organization).bind(user).bind(product);
                grant.bind(after.starts_at)
            } else {
                let change = sqlx::query(CHANGE_ENTITLEMENT).bind(organization).bind(user).bind(product);
                change.bind(after.status)
            };
            let write = write.bind(after.expires_at).bind(after.monthly_review_limit);
            write.execute(&mut *transaction).await?;
            let event = NewEvent::new(organization, actor, action).to(user).on(product);
            let event = event.change(before.as_ref().map(Entitlement::told), Some(after.told()));
            record!(transaction, event, now)?;
            transaction.commit().await?;
            Ok(after)
        })
    }

    /// Finds a member's entitlement in whatever state.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn find_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        product: &str,
        now: UnixMillis,
    ) -> Result<Option<Entitlement>, StoreError> {
        check_text(product)?;
        let row: Option<EntitlementRow> = db!(&self.db, pool => {
            let find = sqlx::query_as(FIND_ENTITLEMENT).bind(organization).bind(user).bind(product);
            find.fetch_optional(pool).await?
        });
        Ok(row.map(|row| row.at(now)))
    }

    /// Finds the entitlement that allows a member the use of a product at this moment.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn find_active_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        product: &str,
        now: UnixMillis,
    ) -> Result<Option<Entitlement>, StoreError> {
        let found = self.find_entitlement(organization, user, product, now).await?;
        Ok(found.filter(|it| it.status == EntitlementStatus::Active && it.starts_at <= now))
    }

    /// A member's entitlements in an organization, in whatever state, by product.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is no member of the organization; [`StoreError::Unavailable`].
    pub async fn list_entitlements(
        &self,
        organization: OrganizationId,
        user: UserId,
        now: UnixMillis,
    ) -> Result<Vec<Entitlement>, StoreError> {
        let (members, rows): (i64, Vec<EntitlementRow>) = db!(&self.db, pool => {
            let count = sqlx::query_scalar(COUNT_MEMBER).bind(organization).bind(user);
            let list = sqlx::query_as(LIST_ENTITLEMENTS).bind(organization).bind(user);
            (count.fetch_one(pool).await?, list.fetch_all(pool).await?)
        });
        if members == 0 {
            return Err(StoreError::NotFound("member"));
        }
        Ok(rows.into_iter().map(|row| row.at(now)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::EntitlementStatus::{self, Active, Revoked, Suspended};

    #[test]
    fn the_states_have_these_steps_and_no_others() {
        let all = EntitlementStatus::ALL;
        let steps = all.iter().flat_map(|from| all.iter().map(move |to| (*from, *to)));
        let legal: Vec<_> = steps.filter(|(from, to)| from.may_become(*to)).collect();
        assert_eq!(legal, [(Active, Suspended), (Active, Revoked), (Suspended, Active), (Suspended, Revoked)]);
    }
}
