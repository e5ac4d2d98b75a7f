//! What the operator says of the issuer.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use store::Scope;

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
