//! The checks of the contract, in the contract's order. This is the only place that knows it, but for `/mcp`, whose messages
//! name the organization and therefore are read before access to it is checked:
//!
//! 0. authentication, and the scope that the operation needs. A missing scope is reported here, because it depends on the
//!    token alone. So does the binding of a token: asked for any organization but its own it gets the same 403, whether
//!    that organization exists or not, and nobody can probe for organizations with it.
//! 1. access to the organization, and the role in it that the operation needs; nothing of the body is read before.
//! 2. the shape of the request, from the media types that the client accepts to the last property;
//! 3. the payload limits;
//! 4. the entitlement;
//! 5. the pace of the token and of its user. (Concurrency and monthly quota come last: a review is admitted by its
//!    handler.)

use axum::extract::{FromRequest, FromRequestParts, Request};
use store::TokenId;

use super::accept::{self, MediaType};
use super::{Input, Principal};
use crate::State;
use crate::context::Context;
use crate::error::Problem;

/// A request that passed the checks up to the payload limits.
pub(crate) struct Unconfirmed<W, T>(pub(crate) Call<W, T>);

/// A request that passed every check.
pub(crate) struct Call<W, T> {
    pub(crate) context: Context,
    pub(crate) principal: W,
    /// The media type to answer with.
    pub(crate) answer: MediaType,
    pub(crate) input: T,
}

impl<W: Principal, T: Input> FromRequest<State> for Unconfirmed<W, T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let Ok(context) = Context::from_request_parts(&mut parts, state).await;
        let principal = match W::admit(&mut parts, &context, state).await {
            Ok(principal) => principal,
            Err(problem) => return Err(problem.with_challenge(T::challenge(&parts, state.settings()))),
        };
        let answer = accept::negotiate(&parts.headers, T::OFFERS)?;
        let input = T::read(&parts, body, state).await?;
        Ok(Self(Call { context, principal, answer, input }))
    }
}

impl<W: Principal, T> Unconfirmed<W, T> {
    /// The checks that are left: the entitlement, then the pace.
    pub(crate) async fn confirm(self, state: &State) -> Result<Call<W, T>, Problem> {
        let Call { context, principal, answer, input } = self.0;
        let principal = principal.confirm(state).await?;
        count(principal.token(), &context, state).await?;
        Ok(Call { context, principal, answer, input })
    }
}

impl<W: Principal, T: Input> FromRequest<State> for Call<W, T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        Unconfirmed::<W, T>::from_request(request, state).await?.confirm(state).await
    }
}

async fn count(token: TokenId, context: &Context, state: &State) -> Result<(), Problem> {
    // Who calls is known to every check that lets anybody in.
    let Some(user) = context.user() else { return Ok(()) };
    let (allowance, result) = state.rate_limiter().count(token, user).await?;
    context.set_allowance(allowance);
    result
}
