//! The holders of buckets.

use std::hash::Hash;
use std::net::IpAddr;

use store::{TokenDigest, TokenId, UserId};

/// A holder of a bucket.
pub(super) trait Holder: Copy + Eq + Hash + Send + Sync {
    /// The policy's name in the header fields.
    const POLICY: &'static str;
    /// The subject of a refusal.
    const WHOSE: &'static str;
}

impl Holder for TokenId {
    const POLICY: &'static str = "token";
    const WHOSE: &'static str = "The token has used up its";
}

impl Holder for UserId {
    const POLICY: &'static str = "user";
    const WHOSE: &'static str = "The user's tokens together have used up their";
}

impl Holder for IpAddr {
    const POLICY: &'static str = "sign-in";
    const WHOSE: &'static str = "Too many attempts to sign in; the limit is";
}

/// The address of a client that sent requests without a valid token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct FailingAddress(pub(super) IpAddr);

impl Holder for FailingAddress {
    const POLICY: &'static str = "address";
    const WHOSE: &'static str =
        "Too many requests without a valid token from this client address; the limit is";
}

impl Holder for TokenDigest {
    const POLICY: &'static str = <IpAddr as Holder>::POLICY;
    const WHOSE: &'static str = <IpAddr as Holder>::WHOSE;
}
