//! Sign-in with the JWT access tokens of an OpenID Connect issuer (RFC 9068).
//!
//! The order of the checks provides the security: [`jwt`] reads the header, which only selects the issuer's key;
//! [`jwks`] verifies the signature with an algorithm that the key's own type allows; only then are the [`claims`]
//! read. The keys come from [`keyring`], which alone decides when the issuer is queried, through [`Fetch`].

mod algorithm;
mod attempt;
mod auth_error;
mod claims;
mod code_flow;
mod discovery;
mod jwks;
mod jwt;
mod keyring;
mod sign_in;

use std::sync::Arc;

use crate::Clock;
use claims::Identity;
use code_flow::KnownDiscovery;
use keyring::Keyring;
use store::{Store, StoreError, User};

pub(crate) use attempt::Attempt;
pub(crate) use auth_error::AuthError;
pub(crate) use code_flow::CodeFlowError;
pub use sign_in::{CALLBACK_PATH, CodeFlow, Fetch, SignIn};

/// The issuer at run time.
pub(crate) struct Issuer {
    settings: SignIn,
    clock: Clock,
    keyring: Arc<Keyring>,
    discovery: KnownDiscovery,
}

impl Issuer {
    pub(crate) fn new(settings: SignIn, clock: Clock) -> Self {
        let keyring = Arc::new(Keyring::new(settings.clone(), clock.clone()));
        Self {
            settings,
            clock,
            keyring,
            discovery: KnownDiscovery::default(),
        }
    }

    /// The issuer's host, for display.
    pub(crate) fn host(&self) -> &str {
        let issuer = &self.settings.issuer;
        let address = issuer
            .split_once("://")
            .map_or(issuer.as_str(), |(_, rest)| rest);
        address.split('/').next().unwrap_or_default()
    }

    /// How browsers sign in with the issuer, if enabled.
    pub(crate) const fn code_flow(&self) -> Option<&CodeFlow> {
        self.settings.code_flow.as_ref()
    }

    /// Finds or creates the user for this identity; `None` if the user is disabled or deleted.
    pub(crate) async fn user(
        &self,
        identity: &Identity,
        store: &Store,
    ) -> Result<Option<User>, StoreError> {
        let issuer = &self.settings.issuer;
        store
            .find_or_insert_identity(issuer, &identity.subject, &identity.name, self.clock.now())
            .await
    }

    /// The identity in a token, if the issuer made it for this service and it is valid now.
    ///
    /// # Errors
    /// The first check that failed.
    pub(crate) async fn identify(&self, token: &str) -> Result<Identity, AuthError> {
        claims::check(&self.verify(token).await?, &self.settings, self.clock.now())
    }

    /// The URL at which a browser signs in.
    ///
    /// # Errors
    /// [`CodeFlowError::Unavailable`].
    pub(crate) async fn authorization_url(
        &self,
        flow: &CodeFlow,
        attempt: &Attempt,
    ) -> Result<String, CodeFlowError> {
        let discovery = self.discovery.get(&self.settings, &self.clock).await?;
        code_flow::authorization_url(&discovery, flow, attempt)
    }

    /// Whether an authorization response that names this issuer, or none, comes from it (RFC 9207).
    ///
    /// # Errors
    /// [`CodeFlowError::Unavailable`].
    pub(crate) async fn is_author(&self, named: Option<&str>) -> Result<bool, CodeFlowError> {
        match named {
            Some(named) => Ok(named == self.settings.issuer),
            None => {
                let discovery = self.discovery.get(&self.settings, &self.clock).await?;
                Ok(!discovery.authorization_response_iss_parameter_supported)
            }
        }
    }

    /// The identity of the user who signed in, for the code that the browser brought back.
    ///
    /// # Errors
    /// The issuer returned no ID token for it, or an invalid one.
    pub(crate) async fn redeem(
        &self,
        flow: &CodeFlow,
        code: &str,
        attempt: &Attempt,
    ) -> Result<Identity, CodeFlowError> {
        let discovery = self.discovery.get(&self.settings, &self.clock).await?;
        let token = code_flow::id_token(&self.settings, &discovery, flow, code, attempt).await?;
        self.identify_by_id_token(&token, flow, &attempt.nonce())
            .await
            .map_err(CodeFlowError::Refused)
    }

    /// The identity in an ID token, if the issuer made it for this client and this attempt and it is valid now.
    async fn identify_by_id_token(
        &self,
        token: &str,
        flow: &CodeFlow,
        nonce: &str,
    ) -> Result<Identity, AuthError> {
        let payload = self.verify(token).await?;
        claims::check_id_token(
            &payload,
            &self.settings.issuer,
            flow,
            nonce,
            self.clock.now(),
        )
    }

    /// The claims of a token with a verified signature, not yet parsed.
    async fn verify(&self, token: &str) -> Result<Vec<u8>, AuthError> {
        let signed = jwt::Signed::parse(token)?;
        self.keyring.verify(&signed).await?;
        Ok(signed.payload)
    }
}
