//! Entitlements: which member may use which product, until when and how often.

pub(crate) mod list;
pub(crate) mod revoke;
pub(crate) mod set;

use store::StoreError;

use super::members::no_member;
use super::reviews::diff_sync::day_of;
use super::written;
use crate::State;
use crate::error::{Code, Problem};
use crate::product::DIFF_REVIEW;
use crate::wire::entitlement::{Entitlement, Status};

/// An entitlement, with the reviews left this month.
async fn visible(state: &State, it: store::Entitlement) -> Result<Entitlement, Problem> {
    let left = match it.monthly_review_limit {
        Some(limit) => {
            let day = day_of(state.now()).to_string();
            let reviews = state
                .store()
                .find_reviews_of_month(it.organization, it.user, &day)
                .await?;
            Some(
                u64::try_from(limit)
                    .unwrap_or_default()
                    .saturating_sub(reviews),
            )
        }
        None => None,
    };
    Ok(Entitlement {
        product: it.product,
        status: status(it.status),
        starts_at: written(it.starts_at),
        expires_at: it.expires_at.map(written),
        monthly_review_limit: it.monthly_review_limit,
        monthly_reviews_left: left,
    })
}

fn status(status: store::EntitlementStatus) -> Status {
    match status {
        store::EntitlementStatus::Active => Status::Active,
        store::EntitlementStatus::Suspended => Status::Suspended,
        store::EntitlementStatus::Expired => Status::Expired,
        store::EntitlementStatus::Revoked => Status::Revoked,
    }
}

/// The problem for an entitlement that could not be read or changed.
fn refused(error: StoreError) -> Problem {
    match error {
        StoreError::NotFound("entitlement") => Problem::new(
            Code::NotFound,
            format!("The member was never entitled to `{DIFF_REVIEW}`."),
        ),
        StoreError::NotFound(_) => no_member(),
        StoreError::Illegal { what, from, to } => Problem::illegal_step(what, from, to),
        error => error.into(),
    }
}
