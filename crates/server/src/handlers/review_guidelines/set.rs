//! PUT /v1/organizations/{organizationId}/review-guidelines

use axum::Json;
use axum::body::Body;
use axum::extract::State as Shared;
use axum::http::request::Parts;
use store::ReviewGuidelines;

use super::body;
use crate::State;
use crate::error::Problem;
use crate::extract::json::{self, Fields};
use crate::extract::{Call, Input, Manager, OrganizationsWrite, no_parameters};
use crate::limits::REVIEW_GUIDELINES_BYTES;
use crate::refusals::problems;
use crate::wire::review_guidelines::{ReviewGuidelinesBody, SetReviewGuidelinesBody};

problems!(EVERY, V1, MEMBER, BODY; InsufficientRole);

/// Set the review guidelines
///
/// Background for reviewers about the organization's code. Language models get it with each change. Replaces
/// earlier guidelines.
#[utoipa::path(
    put,
    path = "/v1/organizations/{organizationId}/review-guidelines",
    operation_id = "setReviewGuidelines",
    tag = "Reviews",
    security(("bearer" = ["organizations:write"])),
    extensions(("x-roles" = json!(["admin", "owner"]))),
    params(("organizationId" = String, Path, description = "The organization", example = "org_01kafwz8g0e2hvr6s9q4n7x3cd")),
    request_body = SetReviewGuidelinesBody,
    responses((status = 200, description = "The guidelines as stored", body = ReviewGuidelinesBody), Problems)
)]
pub(crate) async fn set(
    Shared(state): Shared<State>,
    call: Call<Manager<OrganizationsWrite>, Guidelines>,
) -> Result<Json<ReviewGuidelinesBody>, Problem> {
    let (member, Guidelines(guidelines)) = (&call.principal.0, call.input);
    let (organization, actor) = (member.membership.organization.id, member.caller.user);
    let updated_at = state.now();
    state
        .store()
        .set_review_guidelines(organization, actor, &guidelines, updated_at)
        .await?;
    Ok(Json(body(
        &call.context,
        Some(ReviewGuidelines {
            guidelines,
            updated_at,
        }),
    )))
}

/// A validated text.
pub(crate) struct Guidelines(String);

impl Input for Guidelines {
    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        let (guidelines, _) =
            json::read(parts, body, state, no_parameters(parts), |mut fields, _| {
                let guidelines = guidelines(&mut fields);
                fields.finish(guidelines).map(Self)
            })
            .await?;
        Ok(guidelines)
    }
}

/// Trims the text. `None` if it has a fault.
fn guidelines(fields: &mut Fields) -> Option<String> {
    let given = fields.required_text("guidelines")?;
    let text = given.trim();
    if text.is_empty() {
        fields.fault("guidelines", "must not be blank; DELETE removes them");
    } else if text
        .chars()
        .any(|character| character.is_control() && !matches!(character, '\n' | '\t'))
    {
        fields.fault(
            "guidelines",
            "must not contain control characters other than line feed and tab",
        );
    } else if text.len() > REVIEW_GUIDELINES_BYTES {
        let detail = format!(
            "must have at most {REVIEW_GUIDELINES_BYTES} bytes (UTF-8), not {}",
            text.len()
        );
        fields.fault("guidelines", detail);
    } else {
        return Some(text.to_owned());
    }
    None
}
