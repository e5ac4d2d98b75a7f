//! What the operator says of the issuer.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use store::Scope;

/// Talks to the issuer. The service's only way out, which its caller makes.
pub trait Fetch: Send + Sync {
    /// The body of the successful answer at `url`; an error when it has more than `limit` bytes, of which no more are
    /// read. It ends in a time that a request can wait.
    fn fetch<'a>(&'a self, url: &'a str, limit: usize) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>>;

    /// The same for the answer to a form (`application/x-www-form-urlencoded`), which is sent with this header field
    /// `Authorization`, if any.
    fn post_form<'a>(
        &'a self,
        url: &'a str,
        form: String,
        authorization: Option<String>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>>;
}

/// The path of the console to which the issuer sends browsers back.
pub const CALLBACK_PATH: &str = "/sign-in/callback";

/// The service as a client of the issuer.
#[derive(Clone)]
pub struct CodeFlow {
    /// The client's name at the issuer, and the audience of its ID tokens.
    pub client_id: String,
    /// The client's secret; a public client has none.
    pub client_secret: Option<String>,
    /// Where the issuer sends browsers back: the service's address and [`CALLBACK_PATH`].
    pub redirect_url: String,
    /// The scopes that the issuer is asked for, separated by spaces.
    pub request_scopes: String,
    /// What a session may be used for.
    pub session_scopes: Vec<Scope>,
}

impl fmt::Debug for CodeFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeFlow").field("client_id", &self.client_id).finish_non_exhaustive()
    }
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
    /// How browsers sign in to the console with the issuer; none: they do not.
    pub code_flow: Option<CodeFlow>,
    /// The way to the issuer.
    pub fetch: Arc<dyn Fetch>,
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn").field("issuer", &self.issuer).field("audience", &self.audience).finish_non_exhaustive()
    }
}
