//! The operator's settings of the issuer.

use std::error::Error;
use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use store::Scope;

/// Sends requests to the issuer: this crate's only outgoing connections, implemented by its user.
pub trait Fetch: Send + Sync {
    /// Returns the body of the successful response at `url`; an error if it exceeds `limit` bytes, of which no more
    /// are read. It has a timeout short enough for a request to wait.
    fn fetch<'a>(
        &'a self,
        url: &'a str,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>>;

    /// The same for the response to a form (`application/x-www-form-urlencoded`), which is sent with this
    /// `Authorization` header field, if any.
    fn post_form<'a>(
        &'a self,
        url: &'a str,
        form: String,
        authorization: Option<String>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<u8>, Box<dyn Error + Send + Sync>>>;
}

/// The console path to which the issuer redirects browsers.
pub const CALLBACK_PATH: &str = "/sign-in/callback";

/// The service as a client of the issuer.
#[derive(Clone)]
pub struct CodeFlow {
    /// The client ID, which is the audience of its ID tokens.
    pub client_id: String,
    /// The client secret; `None` for a public client.
    pub client_secret: Option<String>,
    /// The redirect URL: the service's address and [`CALLBACK_PATH`].
    pub redirect_url: String,
    /// The scopes to request from the issuer, separated by spaces.
    pub request_scopes: String,
    /// The scopes of a session.
    pub session_scopes: Vec<Scope>,
}

impl fmt::Debug for CodeFlow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CodeFlow")
            .field("client_id", &self.client_id)
            .finish_non_exhaustive()
    }
}

/// The issuer whose access tokens are accepted.
#[derive(Clone)]
pub struct SignIn {
    /// The issuer, exactly as in its tokens.
    pub issuer: String,
    /// The required audience of tokens.
    pub audience: String,
    /// The URL of the issuer's keys; `None` for discovery.
    pub jwks_url: Option<String>,
    /// Scopes that every token of the issuer has in addition to its own.
    pub scopes: Vec<Scope>,
    /// How browsers sign in to the console with the issuer, if enabled.
    pub code_flow: Option<CodeFlow>,
    /// The connection to the issuer.
    pub fetch: Arc<dyn Fetch>,
}

impl fmt::Debug for SignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SignIn")
            .field("issuer", &self.issuer)
            .field("audience", &self.audience)
            .finish_non_exhaustive()
    }
}
