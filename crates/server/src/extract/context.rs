//! What is known of the request beside its content, for handlers and checks.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use crate::State;
use crate::context::Context;

impl FromRequestParts<State> for Context {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &State) -> Result<Self, Infallible> {
        Ok(of(parts, state))
    }
}

/// That of this request, which the outermost layer made.
pub(super) fn of(parts: &Parts, state: &State) -> Context {
    parts.extensions.get().cloned().unwrap_or_else(|| Context::new(state.clock(), state.release_tasks()))
}
