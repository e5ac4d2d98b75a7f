//! Who may call an operation, as a type.

use std::future::Future;

use axum::http::request::Parts;

use crate::State;
use crate::context::Context;
use crate::error::Problem;

/// A kind of caller: who may call an operation.
pub(crate) trait Principal: Sized + Send + Sync {
    /// Checks what must hold before the request itself is looked at: authentication and access.
    fn admit(parts: &mut Parts, context: &Context, state: &State)
    -> impl Future<Output = Result<Self, Problem>> + Send;

    /// Whether the caller may well be confirmed: asked before a long body is read.
    fn may_be_confirmed(&self, _state: &State) -> impl Future<Output = Result<(), Problem>> + Send {
        async { Ok(()) }
    }

    /// Checks what must hold once the request is known to be sound.
    fn confirm(self, _state: &State) -> impl Future<Output = Result<Self, Problem>> + Send {
        async { Ok(self) }
    }
}
