//! POST /sign-out

use axum::extract::{Request, State as Shared};
use axum::response::Response;

use super::cookie;
use crate::State;
use crate::error::Problem;
use crate::extract::form::{FORM_TOKEN, Form};
use crate::extract::origin;
use crate::extract::session::Session;

/// Ends the session, be it in force or not: whoever signs out is signed out.
pub(super) async fn submit(Shared(state): Shared<State>, request: Request) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    origin::check(&parts)?;
    let session = Session::of(&parts);
    if let Some(secret) = session.secret() {
        session.check(Form::read(&parts, body).await?.get(FORM_TOKEN))?;
        state.store().delete_session(&secret.digest()).await?;
    }
    cookie::signed_out(&parts)
}
