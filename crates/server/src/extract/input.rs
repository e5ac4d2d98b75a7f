//! The input of an operation, as a type.

use std::future::Future;
use std::str::FromStr;

use axum::body::Body;
use axum::http::request::Parts;

use super::accept::MediaType;
use super::query;
use crate::error::{FieldError, Problem};
use crate::{Settings, State};

/// The input of an operation.
pub(crate) trait Input: Sized + Send {
    /// The media types that the operation can return, the default first.
    const OFFERS: &'static [MediaType] = &[MediaType::Json];

    /// Parameters for the challenge of a request without a valid token, in addition to the scheme.
    fn challenge(_parts: &Parts, _settings: &Settings) -> Option<String> {
        None
    }

    /// Reads and validates the input: the shape first, then the payload limits.
    fn read(
        parts: &Parts,
        body: Body,
        state: &State,
    ) -> impl Future<Output = Result<Self, Problem>> + Send;
}

/// No input: no query parameter is allowed, and a body is not read.
pub(crate) struct Nothing;

impl Input for Nothing {
    async fn read(parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        query::Parameters::of(parts).finish()?;
        Ok(Self)
    }
}

/// The resource that the path identifies by an ID of this kind, if any. No query parameter is allowed, and a body is
/// not read.
pub(crate) struct Named<I>(pub(crate) Option<I>);

impl<I: FromStr + Send> Input for Named<I> {
    async fn read(parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        query::Parameters::of(parts).finish()?;
        Ok(Self(named(parts)))
    }
}

/// The resource that the path identifies by an ID of this kind; each kind has a prefix.
pub(crate) fn named<I: FromStr>(parts: &Parts) -> Option<I> {
    parts
        .uri
        .path()
        .rsplit('/')
        .find_map(|segment| segment.parse().ok())
}

/// Any input, for an operation in development.
pub(crate) struct Unread;

impl Input for Unread {
    async fn read(_parts: &Parts, _body: Body, _state: &State) -> Result<Self, Problem> {
        Ok(Self)
    }
}

/// The header field that identifies a request, so that it is not carried out twice.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The faults of a create whose response contains a secret: query parameters, and an idempotency key. The secret is
/// not stored, so the response cannot be repeated, and a key must not suggest that it can.
pub(crate) fn no_parameters_and_no_key(parts: &Parts) -> Vec<FieldError> {
    let mut faults = no_parameters(parts);
    if parts.headers.contains_key(IDEMPOTENCY_KEY) {
        let detail = "is not supported here: the response contains a secret that is not stored and cannot be repeated";
        faults.push(FieldError::header("Idempotency-Key", detail));
    }
    faults
}

/// Reports each query parameter of a request that has none as a fault.
pub(crate) fn no_parameters(parts: &Parts) -> Vec<FieldError> {
    query::Parameters::of(parts).into_faults()
}
