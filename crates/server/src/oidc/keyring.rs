//! The issuer's keys: when they are fetched, and which ones are used until then.
//!
//! A token with an unknown key, or with a signature that the known key of that ID does not verify, may be the first
//! after a rotation, or forged. So the keys are fetched again, but no more often than [`PAUSE`] allows, and one fetch
//! at a time. Keys are refreshed regularly, so that a revoked one stops working; while the issuer cannot be reached,
//! the old ones are kept. A fetch continues when the request that started it is dropped: otherwise a client that
//! keeps disconnecting could prevent every fetch.

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

/// Pause between two fetches, after the first few.
const PAUSE: Duration = Duration::from_secs(10);
const FIRST_FEW: NonZeroU32 = NonZeroU32::MIN.saturating_add(2);
/// Keys of this age are refreshed, and used until the new ones have arrived.
const OLD: Duration = Duration::from_secs(10 * 60);
/// Keys of this age are not used before a refresh was tried; the machine may have been suspended.
const STALE: Duration = Duration::from_secs(60 * 60);
/// Timeout for the discovery document and the keys together.
const PATIENCE: Duration = Duration::from_secs(10);

type FetchLimiter = RateLimiter<NotKeyed, InMemoryState, Clock, NoOpMiddleware<Duration>>;

pub(super) struct Keyring {
    settings: SignIn,
    clock: Clock,
    pace: FetchLimiter,
    /// Held during a fetch.
    turn: tokio::sync::Mutex<()>,
    /// Number of fetches.
    asked: AtomicU64,
    known: RwLock<Option<Known>>,
}

#[derive(Clone)]
struct Known {
    keys: Arc<KeySet>,
    since: Duration,
    /// A refresh failed, so they were kept.
    kept: bool,
}

impl Keyring {
    pub(super) fn new(settings: SignIn, clock: Clock) -> Self {
        let quota = Quota::with_period(PAUSE)
            .unwrap_or(Quota::per_minute(FIRST_FEW))
            .allow_burst(FIRST_FEW);
        Self {
            settings,
            pace: RateLimiter::direct_with_clock(quota, clock.clone()),
            clock,
            turn: tokio::sync::Mutex::default(),
            asked: AtomicU64::default(),
            known: RwLock::default(),
        }
    }

    /// Verifies the token's signature with the issuer's keys. If that fails, the keys are fetched again: the issuer
    /// may have a new key, even under an old ID.
    ///
    /// # Errors
    /// There is no key with the token's key ID, none verifies the signature, or no keys could be fetched.
    pub(super) async fn verify(self: &Arc<Self>, signed: &Signed<'_>) -> Result<(), AuthError> {
        if let Some(known) = self.known() {
            let age = self.clock.monotonic().saturating_sub(known.since);
            let renewal = (age >= OLD).then(|| self.renew());
            if let Some(renewal) = renewal.filter(|_| age >= STALE && !known.kept) {
                // An error means that the fetch panicked, and the keys are unchanged.
                let _ = renewal.await;
            }
        }
        if self
            .known()
            .is_some_and(|known| known.keys.verify(signed).is_ok())
        {
            return Ok(());
        }
        let _ = self.renew().await;
        self.known().ok_or(AuthError::NoKeys)?.keys.verify(signed)
    }

    fn known(&self) -> Option<Known> {
        self.known
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Fetches the keys, unless another request did while this one waited for its turn, or they were fetched a moment
    /// ago.
    fn renew(self: &Arc<Self>) -> JoinHandle<()> {
        let (ring, asked) = (Arc::clone(self), self.asked.load(Ordering::SeqCst));
        tokio::spawn(async move {
            let _turn = ring.turn.lock().await;
            if ring.asked.load(Ordering::SeqCst) == asked && ring.pace.check().is_ok() {
                let fetched = tokio::time::timeout(PATIENCE, ring.fetch()).await;
                ring.keep(fetched.unwrap_or_else(|_| Err("it did not respond in time".into())));
                ring.asked.fetch_add(1, Ordering::SeqCst);
            }
        })
    }

    fn keep(&self, fetched: Result<KeySet, Box<dyn std::error::Error + Send + Sync>>) {
        let since = self.clock.monotonic();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        match fetched {
            Ok(keys) => {
                *known = Some(Known {
                    keys: Arc::new(keys),
                    since,
                    kept: false,
                })
            }
            Err(error) => {
                known.iter_mut().for_each(|known| known.kept = true);
                let error = error.as_ref() as &dyn std::error::Error;
                tracing::warn!(
                    error,
                    kept = known.is_some(),
                    "could not fetch the keys of the OpenID Connect issuer"
                );
            }
        }
    }

    async fn fetch(&self) -> Result<KeySet, Box<dyn std::error::Error + Send + Sync>> {
        let url = match &self.settings.jwks_url {
            Some(url) => url.clone(),
            None => Discovery::fetch(&self.settings).await?.jwks_uri,
        };
        Ok(KeySet::parse(
            &self.settings.fetch.fetch(&url, JWKS_BYTES).await?,
        )?)
    }
}
