//! Sign-in with the JWT access tokens of an OpenID Connect issuer (RFC 9068).
//!
//! The order is the safety: [`jwt`] reads the header, which decides only which key of the issuer may have signed;
//! [`jwks`] verifies the signature, with an algorithm that the key's own type allows; only then the [`claims`] are read
//! at all. The keys come from [`keyring`], which alone decides when the issuer is asked, and asks it through [`Fetch`].

mod claims;
mod jwks;
mod jwt;
mod keyring;

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use store::Scope;

use crate::Clock;
use keyring::Keyring;

/// Gets what stands at an address. The service's only way out, which its caller makes.
pub trait Fetch: Send + Sync {
    /// The body of the successful answer at `url`; an error when it has more than `limit` bytes, of which no more are
    /// read. It ends in a time that a request can wait.
    fn fetch<'a>(&'a self, url: &'a str, limit: usize) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>>;
}

/// The issuer whose access tokens are taken.
#[derive(Clone)]
pub struct SignIn {
    /// The issuer, exactly as its tokens name it.
    pub issuer: String,
    /// The audience that tokens must be made for.
    pub audience: String,
    /// Where the issuer's keys are; by discovery when there is none.
    pub jwks_url: Option<String>,
    /// What every token of the issuer may be used for, beside what its own scopes say.
    pub scopes: Vec<Scope>,
    /// The way to the issuer.
    pub fetch: Arc<dyn Fetch>,
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn").field("issuer", &self.issuer).field("audience", &self.audience).finish_non_exhaustive()
    }
}

/// Who a token of the issuer speaks of, and what it may be used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Identity {
    /// Names the user among the issuer's.
    pub(crate) subject: String,
    /// For people to read.
    pub(crate) name: String,
    pub(crate) scopes: Vec<Scope>,
}

/// Why a token is refused. It is for the log: it says which check failed, and nothing of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("it is too long")]
    TooLong,
    #[error("it is not a JWT")]
    Form,
    #[error("its header is not one of a JWT")]
    Header,
    #[error("its type is not that of an access token")]
    Type,
    #[error("it has critical extensions, and none is known")]
    Critical,
    #[error("its algorithm is not allowed")]
    Algorithm,
    #[error("the issuer has no such key")]
    UnknownKey,
    #[error("the issuer's keys were not to be had")]
    NoKeys,
    #[error("its signature is wrong")]
    Signature,
    #[error("its claims are not those of an access token")]
    Claims,
    #[error("it is of another issuer")]
    Issuer,
    #[error("it is for another audience")]
    Audience,
    #[error("it has expired")]
    Expired,
    #[error("it is not valid yet")]
    NotYet,
}

/// The issuer while the service runs.
pub(crate) struct Issuer {
    settings: SignIn,
    clock: Clock,
    keyring: Arc<Keyring>,
}

impl Issuer {
    pub(crate) fn new(settings: SignIn, clock: Clock) -> Self {
        let keyring = Arc::new(Keyring::new(settings.clone(), clock.clone()));
        Self { settings, clock, keyring }
    }

    /// The issuer's name.
    pub(crate) fn name(&self) -> &str {
        &self.settings.issuer
    }

    /// Who the token speaks of, if the issuer made it for this service and it is valid now.
    ///
    /// # Errors
    /// The first check that failed.
    pub(crate) async fn identify(&self, token: &str) -> Result<Identity, Refusal> {
        let signed = jwt::Signed::parse(token)?;
        let key = self.keyring.find(&signed).await?;
        if !key.verifies(signed.algorithm, signed.message, &signed.signature) {
            return Err(Refusal::Signature);
        }
        claims::check(&signed.payload, &self.settings, self.clock.now())
    }
}
