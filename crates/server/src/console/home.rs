//! GET /: redirects the member of a single organization to its review page, and shows the list otherwise.

use axum::extract::State as Shared;
use axum::response::{IntoResponse, Redirect, Response};

use super::organizations;
use crate::State;
use crate::error::{Code, Problem};
use crate::extract::session::Session;
use crate::extract::{Call, Caller, OrganizationsRead, Page};

pub(super) async fn show(
    Shared(state): Shared<State>,
    session: Session,
    call: Result<Call<Caller<OrganizationsRead>, Page>, Problem>,
) -> Result<Response, Problem> {
    let call = match call {
        Err(problem) if problem.code == Code::Unauthenticated => {
            return Ok(Redirect::to("/sign-in").into_response());
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
