//! Operators of the service. The flag belongs to the user, and only the command line sets it.

use axum::http::request::Parts;

use super::Principal;
use super::caller::{AnyScope, Caller, RequiredScope, UnscopedToken};
use crate::State;
use crate::context::Context;
use crate::error::Problem;

/// An operator, with a token that has the scope `N` and is not bound to one organization. For every other user the
/// path does not exist, whatever their token allows.
pub(crate) struct Operator<N>(pub(crate) Caller<N>);

impl<N: RequiredScope> Principal for Operator<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let caller = Caller::<AnyScope>::admit(parts, context, state).await?;
        if !caller.operator {
            context.conceal_allowance();
            return Err(Problem::no_such_path());
        }
        Ok(Self(UnscopedToken::of(caller.with_scope()?)?.0))
    }
}
