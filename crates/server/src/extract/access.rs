//! The checks of the contract, in the contract's order. This is the only place that defines it, except for `/mcp`,
//! whose messages name the organization and are therefore read before access to it is checked:
//!
//! 0. authentication, and the scope that the operation needs. A missing scope is reported here, because it depends
//!    only on the token. So is the binding of a token: for any other organization it gets the same 403, whether that
//!    organization exists or not, so it cannot be used to probe for organizations.
//! 1. access to the organization, and the role in it that the operation needs; no part of the body is read before.
//! 2. the shape of the request, from the accepted media types to the last property;
//! 3. the payload limits;
//! 4. the entitlement;
//! 5. the rate of the token and of its user. (Concurrency and monthly quota come last: a review is admitted by its
//!    handler.)
//!
//! Requests are counted against the rate right after authentication, so that refused ones count as much as others. If
//! the caller will be refused by 4 or 5, only a short body is read, to keep the order of the answers: see
//! [`limit_body`].

use async_recursion::async_recursion as boxed;
use axum::body::HttpBody as _;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use store::{TokenId, UserId};

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
    /// The media type of the response.
    pub(crate) answer: MediaType,
    pub(crate) input: T,
}

impl<W: Principal, T: Input> FromRequest<State> for Unconfirmed<W, T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let Ok(context) = Context::from_request_parts(&mut parts, state).await;
        // Boxed, so that each kind of caller and of input is compiled once instead of once per operation.
        let admitted: BoxFuture<'_, Result<W, Problem>> =
            Box::pin(W::admit(&mut parts, &context, state));
        let principal = match admitted.await {
            Ok(principal) => principal,
            Err(problem) => {
                return Err(problem.with_challenge(T::challenge(&parts, state.settings())));
            }
        };
        let answer = accept::negotiate(&parts.headers, T::OFFERS)?;
        let length = body.size_hint().upper();
        limit_body(&principal, &parts, length, &context, state).await?;
        let input: BoxFuture<'_, Result<T, Problem>> = Box::pin(T::read(&parts, body, state));
        let input = input.await?;
        Ok(Self(Call {
            context,
            principal,
            answer,
            input,
        }))
    }
}

impl<W: Principal, T> Unconfirmed<W, T> {
    /// The remaining checks: the entitlement, then the rate.
    pub(crate) async fn confirm(self, state: &State) -> Result<Call<W, T>, Problem> {
        let Call {
            context,
            principal,
            answer,
            input,
        } = self.0;
        let principal = principal.confirm(state).await?;
        if let Some(refusal) = context.rate_refusal() {
            return Err(refusal.clone());
        }
        Ok(Call {
            context,
            principal,
            answer,
            input,
        })
    }
}

impl<W: Principal, T: Input> FromRequest<State> for Call<W, T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        Unconfirmed::<W, T>::from_request(request, state)
            .await?
            .confirm(state)
            .await
    }
}

/// A body up to this length costs no more than a refusal, so it is read even if the request will be refused.
pub(crate) const SHORT_BODY_BYTES: usize = 64 << 10;

/// Limits how much is read of a long body if the caller will be refused: nothing if the token is over its rate, and
/// [`SHORT_BODY_BYTES`], decoded, without an entitlement.
async fn limit_body<W: Principal>(
    principal: &W,
    parts: &Parts,
    length: Option<u64>,
    context: &Context,
    state: &State,
) -> Result<(), Problem> {
    let is_coded = parts.headers.contains_key(header::CONTENT_ENCODING);
    if length
        .filter(|_| !is_coded)
        .is_some_and(|length| length <= SHORT_BODY_BYTES as u64)
    {
        return Ok(());
    }
    let refusal = principal.may_be_confirmed(state).await.err();
    match (refusal, context.rate_refusal()) {
        (None, None) => Ok(()),
        (Some(refusal), None) => {
            context.set_body_refusal(refusal);
            Ok(())
        }
        (refusal, Some(over_rate)) => Err(refusal.unwrap_or_else(|| over_rate.clone())),
    }
}

/// Counts a request of this token and its user.
///
/// # Errors
/// The request could not be counted.
#[boxed]
pub(super) async fn count(
    token: TokenId,
    user: UserId,
    context: &Context,
    state: &State,
) -> Result<(), Problem> {
    let (allowance, result) = state.rate_limiter().count(token, user).await?;
    context.set_allowance(allowance);
    if let Err(refusal) = result {
        context.set_rate_refusal(refusal);
    }
    Ok(())
}
