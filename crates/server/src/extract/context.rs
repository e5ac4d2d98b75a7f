//! The context of a request apart from its content, for handlers and checks.

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

/// The context that the outermost layer created for this request.
pub(super) fn of(parts: &Parts, state: &State) -> Context {
    parts
        .extensions
        .get()
        .cloned()
        .unwrap_or_else(|| Context::new(state.clock(), state.release_tasks()))
}
