//! GET /: redirects the member of a single organization to its review page, and shows the list otherwise.

use axum::extract::State as Shared;
use axum::response::{IntoResponse, Redirect, Response};

use store::Scope;

use super::organizations;
use crate::State;
use crate::error::{Code, Problem};
use crate::extract::session::Session;
use crate::extract::{Call, Caller, OrganizationsRead, Page};

/// The review page of the only organization in which the session's token is valid.
async fn own_review_page(state: &State, session: &Session) -> Result<Option<String>, Problem> {
    let Some(secret) = session.secret() else {
        return Ok(None);
    };
    let found = state
        .store()
        .find_session(&secret.digest(), state.now())
        .await?;
    let token = found.filter(|token| token.scopes.contains(&Scope::ReviewsWrite));
    let organization = token.and_then(|token| token.organization);
    Ok(organization.map(|id| format!("/organizations/{id}/review")))
}

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Result<Call<Caller<OrganizationsRead>, Page>, Problem>,
) -> Result<Response, Problem> {
    let call = match call {
        Err(problem) if problem.code == Code::Unauthenticated => {
            return Ok(Redirect::to("/sign-in").into_response());
        }
        // A token for reviews alone, as programs have, signs in to the page that it is for.
        Err(problem) if problem.code == Code::InsufficientScope => {
            return match own_review_page(&state, &session).await? {
                Some(page) => Ok(Redirect::to(&page).into_response()),
                None => Err(problem),
            };
        }
        call => call?,
    };
    let is_first = call.input.after.is_none();
    let page = organizations::Organizations::load(state, &session, call).await?;
    Ok(match page.only().filter(|_| is_first) {
        Some(only) => Redirect::to(&format!("/organizations/{only}/review")).into_response(),
        None => page.respond(),
    })
}
