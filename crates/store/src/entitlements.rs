//! Entitlements: which member may use which product, from when, until when and how often.
//!
//! none → active ⇄ suspended → expired or revoked. A grant makes one active from any state. Nobody has to come by
//! to expire one: every reading compares the time.

use crate::{
    OrganizationId, Store, StoreError, UnixMillis, UserId,
    db::{db, rows, statements},
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
    FIND_ENTITLEMENT = "SELECT organization_id, user_id, product, status, starts_at, expires_at, \
        monthly_review_limit FROM entitlements WHERE organization_id = $1 AND user_id = $2 AND product = $3";
    LIST_ENTITLEMENTS = "SELECT organization_id, user_id, product, status, starts_at, expires_at, \
        monthly_review_limit FROM entitlements WHERE organization_id = $1 ORDER BY user_id, product";
    /// Compares the status that was read, so that of two changes at once only one is made.
    MOVE_ENTITLEMENT = "UPDATE entitlements SET status = $5 \
        WHERE organization_id = $1 AND user_id = $2 AND product = $3 AND status = $4 \
        RETURNING organization_id, user_id, product, status, starts_at, expires_at, monthly_review_limit";
}

words! {
    "a status: active, suspended, expired or revoked";
    /// Where an entitlement is in its life.
    pub enum EntitlementStatus {
        /// It allows the use of the product.
        Active = "active",
        /// It does not, but may again.
        Suspended = "suspended",
        /// Its time is over.
        Expired = "expired",
        /// It was taken away.
        Revoked = "revoked",
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
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        check_text(&new.product)?;
        let result = db!(&self.db, pool => {
            let grant = sqlx::query(GRANT_ENTITLEMENT).bind(organization).bind(user).bind(&new.product).bind(now);
            grant.bind(new.expires_at).bind(new.monthly_review_limit).execute(pool).await.map(drop)
        });
        result.map_err(|error| StoreError::constraint(error, "the entitlement exists already", "member"))?;
        let row = EntitlementRow {
            organization_id: organization,
            user_id: user,
            product: new.product.clone(),
            status: EntitlementStatus::Active,
            starts_at: now,
            expires_at: new.expires_at,
            monthly_review_limit: new.monthly_review_limit,
        };
        Ok(row.at(now))
    }

    /// Moves an entitlement to another status.
    ///
    /// # Errors
    /// [`StoreError::NotFound`], [`StoreError::Illegal`] where [`EntitlementStatus::may_become`] says no, and
    /// [`StoreError::Conflict`] when someone else moved it at the same time; [`StoreError::Unavailable`].
    pub async fn set_entitlement_status(
        &self,
        organization: OrganizationId,
        user: UserId,
        product: &str,
        status: EntitlementStatus,
        now: UnixMillis,
    ) -> Result<Entitlement, StoreError> {
        let found = self.find_entitlement(organization, user, product, now).await?;
        let from = found.ok_or(StoreError::NotFound("entitlement"))?.status;
        if !from.may_become(status) {
            return Err(StoreError::Illegal { what: "entitlement", from: from.as_str(), to: status.as_str() });
        }
        let moved: Option<EntitlementRow> = db!(&self.db, pool => {
            let step = sqlx::query_as(MOVE_ENTITLEMENT).bind(organization).bind(user).bind(product);
            step.bind(from).bind(status).fetch_optional(pool).await?
        });
        let moved = moved.map(|row| row.at(now));
        moved.ok_or(StoreError::Conflict("the entitlement was changed by someone else at the same time"))
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

    /// Every entitlement in an organization, in whatever state, by member and product.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn list_entitlements(
        &self,
        organization: OrganizationId,
        now: UnixMillis,
    ) -> Result<Vec<Entitlement>, StoreError> {
        let rows: Vec<EntitlementRow> =
            db!(&self.db, pool => sqlx::query_as(LIST_ENTITLEMENTS).bind(organization).fetch_all(pool).await?);
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
