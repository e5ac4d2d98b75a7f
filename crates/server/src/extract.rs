//! Who calls and what they ask: the checks of the contract, in the contract's order.
//!
//! A handler takes one [`Call`], and its type says both: `Call<Entitled<ReviewsWrite>, ReviewInput>` is a review that
//! an entitled member asks for. [`Call::from_request`] is the only place that knows the order:
//!
//! 0. authentication, and the scope that the operation needs. A missing scope is told here, because it depends on the
//!    token alone. So does the binding of a token: asked for any organization but its own it gets the same 403, whether
//!    that organization exists or not, and nobody can probe for organizations with it.
//! 1. access to the organization, and the role in it that the operation needs; nothing of the body is read before.
//! 2. the shape of the request, from the media types that the client accepts to the last property;
//! 3. the payload limits;
//! 4. the entitlement;
//! 5. the pace of the token. (Concurrency and monthly quota come last, in the review's handler.)

mod accept;
pub(crate) mod caller;
pub(crate) mod entitled;
pub(crate) mod entitler;
pub(crate) mod json;
pub(crate) mod name;
pub(crate) mod operator;
pub(crate) mod organization;
pub(crate) mod page;
pub(crate) mod query;

use std::future::Future;
use std::str::FromStr;

use axum::body::Body;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use store::TokenId;

use crate::State;
use crate::context::Context;
use crate::error::{Fault, Problem};

pub(crate) use accept::MediaType;
pub(crate) use caller::{AnyScope, Caller, OrganizationsRead, OrganizationsWrite, ReviewsWrite, TokensWrite};
pub(crate) use entitled::Entitled;
pub(crate) use entitler::{EntitlementReader, Entitler};
pub(crate) use operator::Operator;
pub(crate) use organization::{Manager, Member, Owner};
pub(crate) use page::Page;

/// A kind of caller: who may call an operation.
pub(crate) trait Who: Sized + Send {
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

/// What an operation reads from a request.
pub(crate) trait Input: Sized + Send {
    /// The media types that the operation can answer with, the usual one first.
    const OFFERS: &'static [MediaType] = &[MediaType::Json];

    /// Reads and checks it: the shape first, then the payload limits.
    fn read(parts: &Parts, body: Body, state: &State) -> impl Future<Output = Result<Self, Problem>> + Send;
}

/// A request that passed every check.
pub(crate) struct Call<W, T> {
    pub(crate) context: Context,
    pub(crate) who: W,
    /// The media type to answer with.
    pub(crate) answer: MediaType,
    pub(crate) input: T,
}

impl<W: Who, T: Input> FromRequest<State> for Call<W, T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &State) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let Ok(context) = Context::from_request_parts(&mut parts, state).await;
        let who = W::admit(&mut parts, &context, state).await?;
        let answer = accept::negotiate(&parts.headers, T::OFFERS)?;
        let input = T::read(&parts, body, state).await?;
        let who = who.confirm(state).await?;
        count(who.token(), &context, state).await?;
        Ok(Self { context, who, answer, input })
    }
}

async fn count(token: TokenId, context: &Context, state: &State) -> Result<(), Problem> {
    let (allowance, result) = state.pace().count(token).await?;
    context.set_allowance(allowance);
    result
}

/// Nothing: no query parameter is known, and a body is not read.
pub(crate) struct Nothing;

impl Input for Nothing {
    async fn read(parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        query::Parameters::of(parts).finish()?;
        Ok(Self)
    }
}

/// What the last segment of the path names, if it is an ID at all; no query parameter is known, and a body is not read.
pub(crate) struct Named<I>(pub(crate) Option<I>);

impl<I: FromStr + Send> Input for Named<I> {
    async fn read(parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        query::Parameters::of(parts).finish()?;
        Ok(Self(named(parts)))
    }
}

/// What the last segment of the path names.
pub(crate) fn named<I: FromStr>(parts: &Parts) -> Option<I> {
    parts.uri.path().rsplit('/').next()?.parse().ok()
}

/// Anything: an operation in development does not yet know what it will take.
pub(crate) struct Unread;

impl Input for Unread {
    async fn read(_parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        Ok(Self)
    }
}

/// The header field that names a request, so that it is not carried out twice.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The faults of a create whose answer has a secret: query parameters, and an idempotency key. The secret is kept nowhere, so
/// the answer cannot be given again, and nobody must think that it could.
pub(crate) fn no_parameters_and_no_key(parts: &Parts) -> Vec<Fault> {
    let mut faults = no_parameters(parts);
    if parts.headers.contains_key(IDEMPOTENCY_KEY) {
        let detail = "is not taken here: the answer has a secret that is kept nowhere and cannot be given again";
        faults.push(Fault::header("Idempotency-Key", detail));
    }
    faults
}

/// The query parameters of a request that knows none: each is a fault.
pub(crate) fn no_parameters(parts: &Parts) -> Vec<Fault> {
    query::Parameters::of(parts).into_faults()
}
