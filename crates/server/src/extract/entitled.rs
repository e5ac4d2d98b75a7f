//! The entitlement to the product `diff-review`.

use axum::http::request::Parts;
use store::Entitlement;

use super::Principal;
use super::caller::{Caller, RequiredScope, ReviewsWrite};
use super::organization::Member;
use crate::State;
use crate::context::Context;
use crate::error::{Code, Problem};
use crate::product::DIFF_REVIEW;

/// A member who is entitled to reviews.
pub(crate) struct Entitled<N> {
    pub(crate) member: Member<N>,
    /// The member's entitlement; `None` until it is looked up, after the request was validated.
    entitlement: Option<Entitlement>,
}

impl<N> Entitled<N> {
    /// The member's monthly review limit; `None` for no limit.
    pub(crate) fn monthly_review_limit(&self) -> Option<i64> {
        self.entitlement
            .as_ref()
            .map_or(Some(0), |entitlement| entitlement.monthly_review_limit)
    }
}

impl<N> Entitled<N> {
    async fn find_entitlement(&self, state: &State) -> Result<Entitlement, Problem> {
        let organization = self.member.membership.organization.id;
        let user = self.member.caller.user;
        let found = state
            .store()
            .find_active_entitlement(organization, user, DIFF_REVIEW, state.now())
            .await?;
        found.ok_or_else(|| {
            let detail =
                format!("The member has no active entitlement for the product `{DIFF_REVIEW}`.");
            Problem::new(Code::EntitlementRequired, detail)
        })
    }
}

impl<N> From<Member<N>> for Entitled<N> {
    /// A caller whose entitlement is still to be confirmed.
    fn from(member: Member<N>) -> Self {
        Self {
            member,
            entitlement: None,
        }
    }
}

impl<N: RequiredScope> Principal for Entitled<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        Ok(Member::admit(parts, context, state).await?.into())
    }

    async fn confirm(self, state: &State) -> Result<Self, Problem> {
        Ok(Self {
            entitlement: Some(self.find_entitlement(state).await?),
            ..self
        })
    }
}

/// A caller who may name the organization of a review in the body, which is not known before it is read.
pub(crate) struct Reviewer(pub(crate) Caller<ReviewsWrite>);

impl Principal for Reviewer {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        Ok(Self(Caller::admit(parts, context, state).await?))
    }
}
