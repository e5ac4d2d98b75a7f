//! Rate limits per token and for all tokens of a user together, each a bucket that refills steadily (GCRA). A process
//! with its own database keeps the buckets in memory; replicas on one PostgreSQL share them there.

mod allowance;
mod holder;
mod local;
mod shared;

use std::fmt::Display;
use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;

use store::{SharedLimits, TokenDigest, TokenId, UserId};

use crate::error::Problem;
use crate::{Clock, Limits};
use holder::{FailingAddress, Holder};
use local::LocalRateLimiter;
use shared::SharedRateLimiter;

pub(crate) use allowance::Allowance;

/// Failures per minute: more than a person needs, and few for a program.
const FAILURES_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(19);
/// Redirects to the issuer per minute. Each is a row in the database for ten minutes, and many people may share an
/// address.
const STARTS_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(119);

/// Counts the requests of every token and user.
pub(crate) struct RateLimiter {
    tokens: Buckets<TokenId>,
    users: Buckets<UserId>,
}

/// Counts attempts to sign in to the console, in this process only: failures by client address and by token, and
/// redirects to the issuer by address. A valid token is not counted and always signs in, because the address may be
/// that of a proxy with many people behind it.
pub(crate) struct SignInLimiter {
    failures: LocalRateLimiter<IpAddr>,
    tokens: LocalRateLimiter<TokenDigest>,
    starts: LocalRateLimiter<IpAddr>,
}

impl SignInLimiter {
    pub(crate) fn new(clock: &Clock) -> Self {
        Self {
            failures: LocalRateLimiter::new(FAILURES_PER_MINUTE, clock.clone()),
            tokens: LocalRateLimiter::new(FAILURES_PER_MINUTE, clock.clone()),
            starts: LocalRateLimiter::new(STARTS_PER_MINUTE, clock.clone()),
        }
    }

    /// Counts a failed attempt, and its token if it has the form of one.
    ///
    /// # Errors
    /// [`crate::error::Code::RateLimited`].
    pub(crate) fn count_failure(
        &self,
        client: Option<IpAddr>,
        token: Option<TokenDigest>,
    ) -> Result<(), Problem> {
        self.failures.count(network(client)).1?;
        token.map_or(Ok(()), |token| self.tokens.count(token).1)
    }

    /// Counts a redirect to the issuer.
    ///
    /// # Errors
    /// [`crate::error::Code::RateLimited`].
    pub(crate) fn count_start(&self, client: Option<IpAddr>) -> Result<(), Problem> {
        self.starts.count(network(client)).1
    }
}

/// Counts requests without a valid token by client address, in this process only. Requests with a valid token are not
/// counted, because the address may be that of a proxy with many people behind it.
pub(crate) struct FailureLimiter(LocalRateLimiter<FailingAddress>);

impl FailureLimiter {
    /// Allows each address as many failures a minute as a token has requests.
    pub(crate) fn new(limits: &Limits, clock: &Clock) -> Self {
        let per_minute = NonZeroU32::new(limits.requests_per_minute).unwrap_or(NonZeroU32::MIN);
        Self(LocalRateLimiter::new(per_minute, clock.clone()))
    }

    /// Counts one failure.
    ///
    /// # Errors
    /// [`crate::error::Code::RateLimited`].
    pub(crate) fn count(&self, client: IpAddr) -> Result<(), Problem> {
        self.0.count(FailingAddress(network(Some(client)))).1
    }
}

/// Addresses of one IPv6 network (/64) count as one, and so do all clients with an unknown address.
fn network(client: Option<IpAddr>) -> IpAddr {
    match client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) {
        IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
        address => address,
    }
}

/// The buckets of one kind of holder.
enum Buckets<H: Holder + Display> {
    Local(LocalRateLimiter<H>),
    Shared(SharedRateLimiter<H>),
}

impl RateLimiter {
    /// Allows each token and each user this many requests a minute, in any distribution.
    pub(crate) fn new(limits: &Limits, clock: &Clock, shared: Option<SharedLimits>) -> Self {
        let (of_token, factor) = (limits.requests_per_minute, limits.user_requests_factor);
        Self {
            tokens: Buckets::new(of_token, clock.clone(), shared.clone()),
            users: Buckets::new(of_token.saturating_mul(factor), clock.clone(), shared),
        }
    }

    /// Counts one request. Returns what remains of the smaller of the two buckets, and whether the request is
    /// allowed. A request that the token's limit refuses does not count for its user, so one busy token does not
    /// block the others.
    ///
    /// # Errors
    /// The request could not be counted.
    pub(crate) async fn count(
        &self,
        token: TokenId,
        user: UserId,
    ) -> Result<(Allowance, Result<(), Problem>), Problem> {
        let (of_token, result) = self.tokens.count(token).await?;
        if result.is_err() {
            return Ok((of_token, result));
        }
        let (of_user, result) = self.users.count(user).await?;
        Ok((
            if of_user.remaining < of_token.remaining {
                of_user
            } else {
                of_token
            },
            result,
        ))
    }
}

impl<H: Holder + Display> Buckets<H> {
    fn new(per_minute: u32, clock: Clock, shared: Option<SharedLimits>) -> Self {
        let per_minute = NonZeroU32::new(per_minute).unwrap_or(NonZeroU32::MIN);
        match shared {
            None => Self::Local(LocalRateLimiter::new(per_minute, clock)),
            Some(shared) => Self::Shared(SharedRateLimiter::new(per_minute, clock, shared)),
        }
    }

    async fn count(&self, holder: H) -> Result<(Allowance, Result<(), Problem>), Problem> {
        match self {
            Self::Local(pace) => Ok(pace.count(holder)),
            Self::Shared(pace) => Box::pin(pace.count(holder)).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use store::{TokenSecret, UnixMillis};

    use super::SignInLimiter;
    use crate::Clock;

    #[test]
    fn a_wrong_token_is_limited_from_all_addresses_together() {
        let limiter = SignInLimiter::new(&Clock::new(|| UnixMillis(0)));
        let (wrong, other) = (
            TokenSecret::generate().digest(),
            TokenSecret::generate().digest(),
        );
        let from = |last| Some(IpAddr::V4(Ipv4Addr::new(203, 0, 113, last)));
        for last in 0..20 {
            assert!(
                limiter.count_failure(from(last), Some(wrong)).is_ok(),
                "{last}"
            );
        }
        assert!(limiter.count_failure(from(20), Some(wrong)).is_err());
        assert!(
            limiter.count_failure(from(20), Some(other)).is_ok(),
            "neither the address nor this token is at its limit"
        );
    }

    #[test]
    fn issuer_redirects_and_failures_are_counted_separately() {
        let limiter = SignInLimiter::new(&Clock::new(|| UnixMillis(0)));
        assert!(
            (0..120).all(|_| limiter.count_start(None).is_ok())
                && limiter.count_start(None).is_err()
        );
        assert!((0..20).all(|_| limiter.count_failure(None, None).is_ok()));
        assert!(limiter.count_failure(None, None).is_err());
    }
}
