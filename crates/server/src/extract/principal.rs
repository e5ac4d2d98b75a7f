//! The callers of an operation, as a type.

use std::future::Future;

use axum::http::request::Parts;

use crate::State;
use crate::context::Context;
use crate::error::Problem;

/// A kind of caller that may call an operation.
pub(crate) trait Principal: Sized + Send + Sync {
    /// Checks authentication and access, before the request is read.
    fn admit(
        parts: &mut Parts,
        context: &Context,
        state: &State,
    ) -> impl Future<Output = Result<Self, Problem>> + Send;

    /// Checks the remaining conditions, after the request was validated.
    fn confirm(self, _state: &State) -> impl Future<Output = Result<Self, Problem>> + Send {
        async { Ok(self) }
    }
}
