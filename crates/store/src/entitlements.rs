//! Entitlements: which member may use which product, from when, until when and how often.
//!
//! none → active ⇄ suspended → expired or revoked. A grant makes one active from any state. No job expires them: each
//! read compares the time.
//!
//! A change keeps the fields that it omits, so suspending and resuming a member does not lift their limit. Changes of one member's
//! entitlements wait for each other, so that audit events record the true previous state.

use crate::audit_events::{Action, Actor, NewEvent, record};
use crate::db::{BeginWrite, db, rows, statements};
use crate::error::{StoreError, check_text};
use crate::ids::{OrganizationId, UserId};
use crate::store::Store;
use crate::time::UnixMillis;
use crate::words::words;
use async_recursion::async_recursion as boxed;

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
    /// A no-op update that locks the member's row and serializes changes of that member's entitlements. It changes no row when
    /// the user is not a member.
    LOCK_MEMBER = "UPDATE members SET role = role WHERE organization_id = $1 AND user_id = $2";
}

words! {
    "a status: active, suspended, expired or revoked";
    /// The state of an entitlement.
    pub enum EntitlementStatus {
        /// Allows the use of the product.
        Active,
        /// Temporarily disallows it.
        Suspended,
        /// Expired.
        Expired,
        /// Revoked until it is granted again.
        Revoked,
    }
}

impl EntitlementStatus {
    /// active ⇄ suspended; either → revoked. Only time expires an entitlement, and only a grant restores it.
    #[must_use]
    pub fn may_become(self, next: Self) -> bool {
        use EntitlementStatus::{Active, Revoked, Suspended};
        matches!(
            (self, next),
            (Active, Suspended | Revoked) | (Suspended, Active | Revoked)
        )
    }
}

/// The terms of a grant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntitlement {
    /// The product, such as `diff-review`.
    pub product: String,
    /// Expires at this millisecond; `None` for never.
    pub expires_at: Option<UnixMillis>,
    /// Reviews per calendar month; `None` for no limit.
    pub monthly_review_limit: Option<i64>,
}

/// The desired state of an entitlement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntitlementChange {
    /// The product, such as `diff-review`.
    pub product: String,
    /// Active or suspended.
    pub status: EntitlementStatus,
    /// Expires at this millisecond; `Some(None)` for never, `None` for no change.
    pub expires_at: Option<Option<UnixMillis>>,
    /// Reviews per calendar month; `Some(None)` for no limit, `None` for no change.
    pub monthly_review_limit: Option<Option<i64>>,
}

/// A member's right to use a product, as of the time of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entitlement {
    /// The organization.
    pub organization: OrganizationId,
    /// The member.
    pub user: UserId,
    /// The product.
    pub product: String,
    /// Its state.
    pub status: EntitlementStatus,
    /// When it was granted.
    pub starts_at: UnixMillis,
    /// Expires at this millisecond.
    pub expires_at: Option<UnixMillis>,
    /// Reviews per calendar month.
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
            status: if over && !revoked {
                EntitlementStatus::Expired
            } else {
                self.status
            },
            starts_at: self.starts_at,
            expires_at: self.expires_at,
            monthly_review_limit: self.monthly_review_limit,
        }
    }
}

impl Entitlement {
    /// A copy with another status.
    fn moved_to(self, status: EntitlementStatus) -> Result<Self, StoreError> {
        if !self.status.may_become(status) {
            return Err(illegal(self.status.as_str(), status));
        }
        Ok(Self { status, ..self })
    }

    /// The form in audit events: the status, then the terms, if any; the expiry in milliseconds since 1970.
    fn summary(&self) -> String {
        let limit = self
            .monthly_review_limit
            .map(|limit| format!(" limit={limit}"))
            .unwrap_or_default();
        let expiry = self
            .expires_at
            .map(|expiry| format!(" expires={expiry}"))
            .unwrap_or_default();
        format!("{}{limit}{expiry}", self.status)
    }
}

impl EntitlementChange {
    /// Applies the change to `before`. An expired, revoked or missing entitlement can only be granted, with new terms.
    fn apply(
        self,
        whose: EntitlementKey<'_>,
        before: Option<Entitlement>,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        use EntitlementStatus::{Active, Suspended};
        match before {
            Some(before) if matches!(before.status, Active | Suspended) => {
                let after = if before.status == self.status {
                    before
                } else {
                    before.moved_to(self.status)?
                };
                Ok(Entitlement {
                    expires_at: self.expires_at.unwrap_or(after.expires_at),
                    monthly_review_limit: self
                        .monthly_review_limit
                        .unwrap_or(after.monthly_review_limit),
                    ..after
                })
            }
            _ if self.status == Active => Ok(whose.granted(
                self.expires_at.flatten(),
                self.monthly_review_limit.flatten(),
                now,
            )),
            before => Err(illegal(
                before.map_or("none", |before| before.status.as_str()),
                self.status,
            )),
        }
    }
}

fn illegal(from: &'static str, to: EntitlementStatus) -> StoreError {
    StoreError::Illegal {
        what: "entitlement",
        from,
        to: to.as_str(),
    }
}

/// The key of an entitlement.
#[derive(Clone, Copy)]
struct EntitlementKey<'a> {
    organization: OrganizationId,
    user: UserId,
    product: &'a str,
}

impl EntitlementKey<'_> {
    /// A new entitlement, valid from now.
    fn granted(
        self,
        expires_at: Option<UnixMillis>,
        monthly_review_limit: Option<i64>,
        now: UnixMillis,
    ) -> Entitlement {
        let EntitlementKey {
            organization,
            user,
            product,
        } = self;
        let (product, status, starts_at) = (product.to_owned(), EntitlementStatus::Active, now);
        Entitlement {
            organization,
            user,
            product,
            status,
            starts_at,
            expires_at,
            monthly_review_limit,
        }
    }
}

/// The audit event of a change; `None` when nothing changed.
fn action(before: Option<&Entitlement>, after: &Entitlement) -> Option<Action> {
    let Some(before) = before.filter(|before| before.starts_at == after.starts_at) else {
        return Some(Action::EntitlementGranted);
    };
    match (before.status, after.status) {
        (from, to) if from == to => (before != after).then_some(Action::EntitlementChanged),
        (_, EntitlementStatus::Suspended) => Some(Action::EntitlementSuspended),
        (EntitlementStatus::Suspended, EntitlementStatus::Active) => {
            Some(Action::EntitlementActivated)
        }
        (_, EntitlementStatus::Active) => Some(Action::EntitlementGranted),
        _ => Some(Action::EntitlementRevoked),
    }
}

impl NewEvent {
    /// The audit event of an automatic grant to a new member.
    pub(crate) fn granted(
        organization: OrganizationId,
        member: UserId,
        actor: Actor,
        grant: &NewEntitlement,
    ) -> Self {
        let event = Self::new(organization, actor, Action::EntitlementGranted);
        event
            .to(member)
            .on(&grant.product)
            .change(None, Some("active".to_owned()))
    }
}

impl Store {
    /// Grants a member a product from now on, whatever the previous state.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is not a member of the organization, [`StoreError::Invalid`] for a limit
    /// below 0; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn grant_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        new: &NewEntitlement,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let whose = EntitlementKey {
            organization,
            user,
            product: &new.product,
        };
        let granted = whose.granted(new.expires_at, new.monthly_review_limit, now);
        self.write_entitlement(whose, actor, now, |_| Ok(granted))
            .await
    }

    /// Applies `change` to a member's entitlement: grants it, or changes its status or terms.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is not a member of the organization, [`StoreError::Illegal`] for a transition
    /// that does not exist, [`StoreError::Invalid`] for a limit below 0; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn change_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        change: EntitlementChange,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let product = change.product.clone();
        let whose = EntitlementKey {
            organization,
            user,
            product: &product,
        };
        self.write_entitlement(whose, actor, now, |before| change.apply(whose, before, now))
            .await
    }

    /// Changes an entitlement's status.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is not a member of the organization or was never entitled,
    /// [`StoreError::Illegal`] when [`EntitlementStatus::may_become`] forbids it; [`StoreError::Unavailable`].
    #[boxed]
    pub async fn set_entitlement_status(
        &self,
        organization: OrganizationId,
        user: UserId,
        product: &str,
        status: EntitlementStatus,
        actor: Actor,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let whose = EntitlementKey {
            organization,
            user,
            product,
        };
        let missing = StoreError::NotFound("entitlement");
        self.write_entitlement(whose, actor, now, |before| {
            before.ok_or(missing)?.moved_to(status)
        })
        .await
    }

    /// Reads the entitlement, lets `decide` compute the new one, and writes it with its event. Changes of one member's
    /// entitlements are serialized.
    async fn write_entitlement(
        &self,
        whose: EntitlementKey<'_>,
        actor: Actor,
        now: UnixMillis,
        decide: impl FnOnce(Option<Entitlement>) -> Result<Entitlement, StoreError> + Send,
    ) -> Result<Entitlement, StoreError> {
        let EntitlementKey {
            organization,
            user,
            product,
        } = whose;
        check_text(product)?;
        db!(&self.db, pool => {
            let mut transaction = pool.begin_write().await?;
            let hold = sqlx::query(LOCK_MEMBER).bind(organization).bind(user);
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
            let event = event.change(before.as_ref().map(Entitlement::summary), Some(after.summary()));
            record!(transaction, event, now)?;
            transaction.commit().await?;
            Ok(after)
        })
    }

    /// Finds a member's entitlement in any state.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
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

    /// Finds the entitlement that allows a member to use a product now.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    #[boxed]
    pub async fn find_active_entitlement(
        &self,
        organization: OrganizationId,
        user: UserId,
        product: &str,
        now: UnixMillis,
    ) -> Result<Option<Entitlement>, StoreError> {
        let found = self
            .find_entitlement(organization, user, product, now)
            .await?;
        Ok(found.filter(|it| it.status == EntitlementStatus::Active && it.starts_at <= now))
    }

    /// Lists a member's entitlements in an organization, in any state, ordered by product.
    ///
    /// # Errors
    /// [`StoreError::NotFound`] when the user is not a member of the organization; [`StoreError::Unavailable`].
    #[boxed]
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
    fn only_the_documented_transitions_are_allowed() {
        let all = EntitlementStatus::ALL;
        let steps = all
            .iter()
            .flat_map(|from| all.iter().map(move |to| (*from, *to)));
        let legal: Vec<_> = steps.filter(|(from, to)| from.may_become(*to)).collect();
        assert_eq!(
            legal,
            [
                (Active, Suspended),
                (Active, Revoked),
                (Suspended, Active),
                (Suspended, Revoked)
            ]
        );
    }
}
