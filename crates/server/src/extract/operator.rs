//! Operators: who runs the service. The flag stands at the user, and only the command line sets it.

use std::marker::PhantomData;

use axum::http::request::Parts;
use store::TokenId;

use super::Who;
use super::caller::{AnyScope, Caller, Needs, bound_elsewhere, check_scope};
use crate::State;
use crate::context::Context;
use crate::error::Problem;

/// An operator, with a token that has the scope `N` and is not bound to one organization. To every other user there is
/// nothing at the path, whatever the token may be used for.
pub(crate) struct Operator<N> {
    pub(crate) caller: Caller<AnyScope>,
    needs: PhantomData<fn() -> N>,
}

impl<N: Needs> Who for Operator<N> {
    async fn admit(parts: &mut Parts, context: &Context, state: &State) -> Result<Self, Problem> {
        let caller = Caller::<AnyScope>::admit(parts, context, state).await?;
        if !caller.operator {
            return Err(Problem::no_such_path());
        }
        check_scope(N::SCOPE, &caller.scopes)?;
        if caller.bound_to.is_some() {
            return Err(bound_elsewhere());
        }
        Ok(Self { caller, needs: PhantomData })
    }

    fn token(&self) -> TokenId {
        self.caller.token
    }
}
