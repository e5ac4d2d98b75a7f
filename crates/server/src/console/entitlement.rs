//! /organizations/{organizationId}/members/{userId}/entitlement: the forms on a member's page that change it.

use axum::Json;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use axum::response::Response;
use store::UnixMillis;

use crate::State;
use crate::error::{FieldError, Problem};
use crate::extract::entitlement_access::EntitlementAccess;
use crate::extract::form::{Filled, Form, OfForm};
use crate::extract::json::Fields;
use crate::extract::{Call, Entitler, Nothing, OrganizationsWrite};
use crate::handlers::entitlements::revoke as revocation;
use crate::handlers::entitlements::set::{self, SetEntitlementRequest};
use crate::web::page::lead;

pub(super) async fn change(
    Shared(state): Shared<State>,
    call: Call<Entitler<OrganizationsWrite>, Filled<SetEntitlementRequest>>,
) -> Result<Response, Problem> {
    let path = page_of(&call.principal.0);
    let Json(_) = set::set(Shared(state), call.unfold().1?).await?;
    Ok(lead(&path))
}

pub(super) async fn revoke(
    Shared(state): Shared<State>,
    call: Call<Entitler<OrganizationsWrite>, Filled<Nothing>>,
) -> Result<Response, Problem> {
    let path = page_of(&call.principal.0);
    revocation::revoke(Shared(state), call.unfold().1?).await?;
    Ok(lead(&path))
}

/// The member's page.
fn page_of<N>(access: &EntitlementAccess<N>) -> String {
    let user = access.user.map(|user| user.to_string()).unwrap_or_default();
    format!("/organizations/{}/members/{user}", access.organization)
}

impl OfForm for SetEntitlementRequest {
    fn of_form(form: &Form, _: &Parts, now: UnixMillis) -> Result<Self, Problem> {
        let mut fields = vec![
            ("status", form.text("status").into()),
            ("monthlyReviewLimit", limit(form)?.into()),
        ];
        let ends = form.text("ends").trim();
        // The form has a day only: an unchanged one must not truncate the stored time.
        if ends != form.text("ended") {
            let ends = Some(ends).filter(|ends| !ends.is_empty());
            fields.push((
                "expiresAt",
                ends.map(|day| format!("{day}T00:00:00Z")).into(),
            ));
        }
        Self::of(Fields::of_small_form(fields), now)
    }
}

fn limit(form: &Form) -> Result<Option<u64>, Problem> {
    match form.text("limit").trim() {
        "" => Ok(None),
        digits => digits.parse().map(Some).map_err(|_| {
            Problem::invalid(vec![FieldError::at(
                "monthlyReviewLimit",
                "must be a whole number, or empty for no limit",
            )])
        }),
    }
}
