//! Extractors: the caller and the request, as the types that handlers take.
//!
//! A handler takes one [`Call`], whose type names both: `Call<Entitled<ReviewsWrite>, ReviewInput>` is a review
//! submitted by an entitled member. The order of the checks is in `access`.

mod accept;
mod access;
pub(crate) mod caller;
mod context;
pub(crate) mod entitled;
pub(crate) mod entitlement_access;
pub(crate) mod form;
mod input;
pub(crate) mod json;
mod leftover;
pub(crate) mod name;
pub(crate) mod operator;
pub(crate) mod organization;
pub(crate) mod origin;
pub(crate) mod page;
mod principal;
pub(crate) mod query;
pub(crate) mod session;

pub(crate) use accept::{MediaType, accepts};
pub(crate) use access::{Call, Unconfirmed};
pub(crate) use caller::{
    AnyScope, Caller, OrganizationsRead, OrganizationsWrite, ReviewsWrite, TokensWrite,
};
pub(crate) use entitled::{Entitled, Reviewer};
pub(crate) use entitlement_access::{EntitlementReader, Entitler};
pub(crate) use input::{
    IDEMPOTENCY_KEY, Input, Named, Nothing, Unread, named, no_parameters, no_parameters_and_no_key,
};
pub(crate) use operator::Operator;
pub(crate) use organization::{Manager, Member, Owner};
pub(crate) use page::Page;
pub(crate) use principal::Principal;
