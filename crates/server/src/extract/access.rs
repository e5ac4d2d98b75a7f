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
//! Requests are counted against the rate right after authentication, so that refused ones count as much as others. The
//! order holds for a body of any size, so a body is read and checked even if check 4 will fail; it is dropped before the
//! answer. Only a token that is over its rate gets its 429 immediately, if the body is long: see [`refuse_long_body`].

use async_recursion::async_recursion as boxed;
use axum::body::HttpBody as _;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header;
use axum::http::request::Parts;
use futures_util::future::BoxFuture;
use store::{TokenId, UserId};

use super::accept::{self, MediaType};
use super::session::ByBrowser;
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
        let answer = answer_to(&parts, T::OFFERS)?;
        refuse_long_body(&parts, body.size_hint().upper(), &context)?;
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

/// The media type of the answer. A page of the console is always a page, unless its script asks for something else.
fn answer_to(parts: &Parts, offers: &[MediaType]) -> Result<MediaType, Problem> {
    let is_page = parts.extensions.get::<ByBrowser>().is_some();
    accept::negotiate(&parts.headers, offers).or_else(|refused| match offers.first() {
        Some(default) if is_page => Ok(*default),
        _ => Err(refused),
    })
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
const SHORT_BODY_BYTES: u64 = 64 << 10;

/// Refuses a long body of a token that is over its rate, before any of it is read.
fn refuse_long_body(parts: &Parts, length: Option<u64>, context: &Context) -> Result<(), Problem> {
    let is_coded = parts.headers.contains_key(header::CONTENT_ENCODING);
    let is_short = !is_coded && length.is_some_and(|length| length <= SHORT_BODY_BYTES);
    match context.rate_refusal() {
        Some(over_rate) if !is_short => Err(over_rate.clone()),
        _ => Ok(()),
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
