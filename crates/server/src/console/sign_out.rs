//! POST /sign-out

use axum::extract::{Request, State as Shared};
use axum::response::Response;

use super::cookie;
use crate::State;
use crate::error::Problem;
use crate::extract::form::{FORM_TOKEN, Form};
use crate::extract::origin;
use crate::extract::session::Session;

/// Ends the session. An expired or revoked session is not an error: the user is signed out either way.
pub(super) async fn submit(
    Shared(state): Shared<State>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, body) = request.into_parts();
    let settings = state.settings();
    origin::check(&parts, settings)?;
    let session = Session::of(&parts, settings);
    if let Some(secret) = session.secret() {
        session.check(Form::read(&parts, body).await?.get(FORM_TOKEN))?;
        state.store().delete_session(&secret.digest()).await?;
    }
    cookie::signed_out(origin::is_plain_loopback(&parts, settings))
}
