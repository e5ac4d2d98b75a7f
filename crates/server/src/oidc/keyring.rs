//! The issuer's keys while the service runs: when they are fetched, and which are used until then.
//!
//! A token with an unknown key, or whose signature the known key of that name does not verify, may be the first after a rotation,
//! or forged: the keys are fetched again, but no more often than [`PAUSE`] allows, and one fetch at a time. Keys are refreshed regularly, so that a revoked one stops working; while the
//! issuer cannot be reached, the old ones stay. A fetch continues when the request that began it is dropped: otherwise the client that
//! comes and goes could keep the keys from ever being fetched.

use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use tokio::task::JoinHandle;

use super::discovery::Discovery;
use super::jwks::{JWKS_BYTES, KeySet};
use super::jwt::Signed;
use super::{AuthError, SignIn};
use crate::Clock;

/// Between two fetches, after the first few.
const PAUSE: Duration = Duration::from_secs(10);
const FIRST_FEW: NonZeroU32 = NonZeroU32::MIN.saturating_add(2);
/// Keys of this age are fetched again, and used until the new ones have arrived.
const OLD: Duration = Duration::from_secs(10 * 60);
/// Keys of this age are not used before the issuer was asked; a service may have slept.
const STALE: Duration = Duration::from_secs(60 * 60);
/// For the discovery document and the keys together.
const PATIENCE: Duration = Duration::from_secs(10);

type FetchLimiter = RateLimiter<NotKeyed, InMemoryState, Clock, NoOpMiddleware<Duration>>;

pub(super) struct Keyring {
    settings: SignIn,
    clock: Clock,
    pace: FetchLimiter,
    /// Held by who asks the issuer.
    turn: tokio::sync::Mutex<()>,
    /// How often the issuer was asked.
    asked: AtomicU64,
    known: RwLock<Option<Known>>,
}

#[derive(Clone)]
struct Known {
    keys: Arc<KeySet>,
    since: Duration,
    /// The issuer was asked again and did not give them.
    kept: bool,
}

impl Keyring {
    pub(super) fn new(settings: SignIn, clock: Clock) -> Self {
        let quota = Quota::with_period(PAUSE).unwrap_or(Quota::per_minute(FIRST_FEW)).allow_burst(FIRST_FEW);
        Self {
            settings,
            pace: RateLimiter::direct_with_clock(quota, clock.clone()),
            clock,
            turn: tokio::sync::Mutex::default(),
            asked: AtomicU64::default(),
            known: RwLock::default(),
        }
    }

    /// Checks the token's signature with the issuer's keys. If they do not verify it, they are fetched again: an issuer may have
    /// a new key, also under the name of an old one.
    ///
    /// # Errors
    /// No key of the token's name, or none that verifies the signature; or no keys could be fetched at all.
    pub(super) async fn verify(self: &Arc<Self>, signed: &Signed<'_>) -> Result<(), AuthError> {
        if let Some(known) = self.known() {
            let age = self.clock.monotonic().saturating_sub(known.since);
            let renewal = (age >= OLD).then(|| self.renew());
            if let Some(renewal) = renewal.filter(|_| age >= STALE && !known.kept) {
                // An error says that the fetch panicked: the keys are what they were.
                let _ = renewal.await;
            }
        }
        if self.known().is_some_and(|known| known.keys.verify(signed).is_ok()) {
            return Ok(());
        }
        let _ = self.renew().await;
        self.known().ok_or(AuthError::NoKeys)?.keys.verify(signed)
    }

    fn known(&self) -> Option<Known> {
        self.known.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Has the keys fetched, unless someone else did while this waited for its turn, or it was done a moment ago.
    fn renew(self: &Arc<Self>) -> JoinHandle<()> {
        let (ring, asked) = (Arc::clone(self), self.asked.load(Ordering::SeqCst));
        tokio::spawn(async move {
            let _turn = ring.turn.lock().await;
            if ring.asked.load(Ordering::SeqCst) == asked && ring.pace.check().is_ok() {
                let fetched = tokio::time::timeout(PATIENCE, ring.fetch()).await;
                ring.keep(fetched.unwrap_or_else(|_| Err("it did not answer in time".into())));
                ring.asked.fetch_add(1, Ordering::SeqCst);
            }
        })
    }

    fn keep(&self, fetched: Result<KeySet, Box<dyn std::error::Error + Send + Sync>>) {
        let since = self.clock.monotonic();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        match fetched {
            Ok(keys) => *known = Some(Known { keys: Arc::new(keys), since, kept: false }),
            Err(error) => {
                known.iter_mut().for_each(|known| known.kept = true);
                let error = error.as_ref() as &dyn std::error::Error;
                tracing::warn!(error, kept = known.is_some(), "the keys of the OpenID Connect issuer cannot be had");
            }
        }
    }

    async fn fetch(&self) -> Result<KeySet, Box<dyn std::error::Error + Send + Sync>> {
        let url = match &self.settings.jwks_url {
            Some(url) => url.clone(),
            None => Discovery::fetch(&self.settings).await?.jwks_uri,
        };
        Ok(KeySet::parse(&self.settings.fetch.fetch(&url, JWKS_BYTES).await?)?)
    }
}
