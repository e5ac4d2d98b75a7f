//! How many requests a token may make, and all tokens of a user together: a bucket each that refills steadily (GCRA). A process
//! that is alone keeps the buckets in memory; replicas on one PostgreSQL keep them there, together.

mod allowance;
mod holder;
mod local;
mod shared;

use std::net::{IpAddr, Ipv4Addr};
use std::num::NonZeroU32;

use store::{SharedLimits, TokenId, UserId};

use crate::error::Problem;
use crate::{Clock, Limits};
use holder::Holder;
use local::LocalRateLimiter;
use shared::SharedRateLimiter;

pub(crate) use allowance::Allowance;

/// More than people need, and few for a program.
const SIGN_INS_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(19);

/// Counts the requests of every token and of every user.
pub(crate) struct RateLimiter {
    tokens: Buckets<TokenId>,
    users: Buckets<UserId>,
}

/// Counts attempts to sign in to the console, by the client's address and in this process alone.
pub(crate) struct SignInLimiter(LocalRateLimiter<IpAddr>);

impl SignInLimiter {
    pub(crate) fn new(clock: &Clock) -> Self {
        Self(LocalRateLimiter::new(SIGN_INS_PER_MINUTE, clock.clone()))
    }

    /// Counts one attempt. Addresses of one IPv6 network (/64) count as one, and so do clients whose address is not known.
    ///
    /// # Errors
    /// [`crate::error::Code::RateLimited`].
    pub(crate) fn count(&self, client: Option<IpAddr>) -> Result<(), Problem> {
        let network = match client.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED)) {
            IpAddr::V6(address) => IpAddr::V6((u128::from(address) >> 64 << 64).into()),
            address => address,
        };
        self.0.count(network).1
    }
}

/// Buckets of one kind of holder.
enum Buckets<H: Holder> {
    Local(LocalRateLimiter<H>),
    Shared(SharedRateLimiter<H>),
}

impl RateLimiter {
    /// Allows each token and each user so many requests a minute, all at once if they like.
    pub(crate) fn new(limits: &Limits, clock: &Clock, shared: Option<SharedLimits>) -> Self {
        let (of_token, factor) = (limits.requests_per_minute, limits.user_requests_factor);
        Self {
            tokens: Buckets::new(of_token, clock.clone(), shared.clone()),
            users: Buckets::new(of_token.saturating_mul(factor), clock.clone(), shared),
        }
    }

    /// Counts one request. Says what is left to whichever has less, and whether the request may go on. What the token may not
    /// do is not counted for its user: a token that is sent too often holds up no other.
    ///
    /// # Errors
    /// The count itself was not possible.
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
        Ok((if of_user.remaining < of_token.remaining { of_user } else { of_token }, result))
    }
}

impl<H: Holder> Buckets<H> {
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
