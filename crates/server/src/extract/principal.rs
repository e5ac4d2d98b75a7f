//! Who may call an operation, as a type.

use std::future::Future;

use axum::http::request::Parts;
use store::TokenId;

use crate::State;
use crate::context::Context;
use crate::error::Problem;

/// A kind of caller: who may call an operation.
pub(crate) trait Principal: Sized + Send {
    /// Checks what must hold before the request itself is looked at: authentication and access.
    fn admit(parts: &mut Parts, context: &Context, state: &State)
    -> impl Future<Output = Result<Self, Problem>> + Send;

    /// Checks what must hold once the request is known to be sound.
    fn confirm(self, _state: &State) -> impl Future<Output = Result<Self, Problem>> + Send {
        async { Ok(self) }
    }

    /// The token whose requests are counted.
    fn token(&self) -> TokenId;
}
