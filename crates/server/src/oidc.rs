//! Sign-in with the JWT access tokens of an OpenID Connect issuer (RFC 9068).
//!
//! The order is the safety: [`jwt`] reads the header, which decides only which key of the issuer may have signed;
//! [`jwks`] verifies the signature, with an algorithm that the key's own type allows; only then the [`claims`] are read
//! at all. The keys come from [`keyring`], which alone decides when the issuer is asked, and asks it through [`Fetch`].

mod algorithm;
mod auth_error;
mod claims;
mod jwks;
mod jwt;
mod keyring;
mod sign_in;

use std::sync::Arc;

use crate::Clock;
use claims::Identity;
use keyring::Keyring;

pub(crate) use auth_error::AuthError;
pub use sign_in::{Fetch, SignIn};

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
    pub(crate) async fn identify(&self, token: &str) -> Result<Identity, AuthError> {
        let signed = jwt::Signed::parse(token)?;
        let keys = self.keyring.find(&signed).await?;
        if !keys.iter().any(|key| key.verifies(signed.algorithm, signed.message, &signed.signature)) {
            return Err(AuthError::Signature);
        }
        claims::check(&signed.payload, &self.settings, self.clock.now())
    }
}
