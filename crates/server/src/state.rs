//! The state shared by all requests.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Bytes;
use review::{Engine, Recipient};
use store::{SignInCode, Store, TokenId, UnixMillis};
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::body_memory::BodyMemoryLimiter;
use crate::concurrency::ConcurrencyLimiter;
use crate::error::Problem;
use crate::fixed::Fixed;
use crate::metrics::Metrics;
use crate::oidc::Issuer;
use crate::rate_limiter::{FailureLimiter, RateLimiter, SignInLimiter};
use crate::reference::Reference;
use crate::release_tasks::ReleaseTasks;
use crate::rule_pages::RulePages;
use crate::sign_in_links::SignInLinks;
use crate::token_last_used::TokenLastUsed;
use crate::{Clock, Limits, Settings};

/// Time after the grace period for running reviews to be answered with their partial results. Requests that run
/// longer are dropped.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The state shared by all requests. Clones share it.
#[derive(Clone)]
pub struct State(Arc<Shared>);

struct Shared {
    store: Store,
    engines: Vec<Arc<dyn Engine>>,
    settings: Settings,
    clock: Clock,
    rate_limiter: RateLimiter,
    sign_in_limiter: SignInLimiter,
    failure_limiter: FailureLimiter,
    sign_in_links: SignInLinks,
    concurrency: ConcurrencyLimiter,
    body_memory: BodyMemoryLimiter,
    issuer: Option<Issuer>,
    token_last_used: TokenLastUsed,
    metrics: Metrics,
    stopping: AtomicBool,
    warned_of_proxy: AtomicBool,
    closing: CancellationToken,
    release_tasks: TaskTracker,
    /// The OpenAPI document as JSON; it does not change while the server runs.
    openapi: Fixed,
    reference: Reference,
    mcp: mcp::Server,
    rule_pages: Option<RulePages>,
}

/// The service's own descriptions, made once all routes are known.
pub(crate) struct Documents {
    /// The OpenAPI document as JSON.
    pub(crate) openapi: Bytes,
    /// The server behind `/mcp`.
    pub(crate) mcp: mcp::Server,
}

impl State {
    pub(crate) fn documented(
        store: Store,
        engines: Vec<Arc<dyn Engine>>,
        settings: Settings,
        clock: Clock,
        documents: Documents,
    ) -> Self {
        let store = store.with_caps(settings.limits.caps());
        let rate_limiter = RateLimiter::new(&settings.limits, &clock, store.shared_limits());
        let sign_in_limiter = SignInLimiter::new(&clock);
        let failure_limiter = FailureLimiter::new(&settings.limits, &clock);
        let concurrency = ConcurrencyLimiter::new(&settings.limits, store.shared_limits());
        let body_memory = BodyMemoryLimiter::new(&settings.limits);
        let issuer = settings
            .sign_in
            .clone()
            .map(|sign_in| Issuer::new(sign_in, clock.clone()));
        let token_last_used = TokenLastUsed::new(store.clone());
        let openapi = Fixed::new("application/json", documents.openapi.clone());
        let reference = Reference::new(documents.openapi);
        let metrics = Metrics::new(store.latency());
        let stopping = AtomicBool::new(false);
        let rule_pages = settings.rules.clone().map(RulePages::new);
        Self(Arc::new(Shared {
            store,
            engines,
            settings,
            clock,
            rate_limiter,
            sign_in_limiter,
            failure_limiter,
            sign_in_links: SignInLinks::default(),
            concurrency,
            body_memory,
            issuer,
            token_last_used,
            metrics,
            stopping,
            warned_of_proxy: AtomicBool::new(false),
            closing: CancellationToken::new(),
            release_tasks: TaskTracker::new(),
            openapi,
            reference,
            mcp: documents.mcp,
            rule_pages,
        }))
    }

    /// The service's metrics.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// The code of a link that signs one browser on this machine in to the console with this token, once and within
    /// ten minutes: `/sign-in/link/{code}`.
    #[must_use]
    pub fn offer_sign_in(&self, token: TokenId) -> SignInCode {
        self.0.sign_in_links.offer(token, self.now())
    }

    /// Makes the service report that it is not ready, so that no new requests are sent to it.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    /// Cancelled when the grace period ends: running reviews then end with their partial results.
    #[must_use]
    pub fn closing(&self) -> &CancellationToken {
        &self.0.closing
    }

    /// Waits until everything that requests reserved is released. To be called when there are no more requests,
    /// before the store is closed.
    pub async fn given_back(&self) {
        self.0.release_tasks.close();
        self.0.release_tasks.wait().await;
    }

    /// Completes when running requests must end.
    pub(crate) async fn last_words(&self) {
        self.0.closing.cancelled().await;
        sleep(LAST_WORDS).await;
    }

    /// Waits for `turn` unless the grace period is over.
    pub(crate) async fn before_closing<T>(
        &self,
        turn: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        tokio::select! {
            biased;
            () = self.0.closing.cancelled() => Err(Problem::stopping()),
            turn = turn => turn,
        }
    }

    /// The release tasks of a new request.
    pub(crate) fn release_tasks(&self) -> ReleaseTasks {
        ReleaseTasks::of(&self.0.release_tasks)
    }

    /// Warns, once, about a proxy that is not trusted. Its address is not logged, because it may be that of a person
    /// who sent the header.
    pub(crate) fn warn_of_untrusted_proxy(&self) {
        if !self.0.warned_of_proxy.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "a request was forwarded by a proxy that is not in `[proxy] trusted`: all clients behind it count as one \
                 address; add the proxy's address"
            );
        }
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Relaxed)
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn engines(&self) -> &[Arc<dyn Engine>] {
        &self.0.engines
    }

    /// Whether a review may use a language model.
    pub(crate) fn asks_models(&self) -> bool {
        self.0.engines.iter().any(|engine| engine.model().is_some())
    }

    /// The language models that a review may send the diff to, the preferred one first.
    pub(crate) fn recipients(&self) -> Vec<Recipient> {
        self.0
            .engines
            .iter()
            .flat_map(|engine| engine.recipients())
            .cloned()
            .collect()
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.0.settings.limits
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn now(&self) -> UnixMillis {
        self.0.clock.now()
    }

    pub(crate) fn rate_limiter(&self) -> &RateLimiter {
        &self.0.rate_limiter
    }

    pub(crate) fn failure_limiter(&self) -> &FailureLimiter {
        &self.0.failure_limiter
    }

    pub(crate) fn sign_in_limiter(&self) -> &SignInLimiter {
        &self.0.sign_in_limiter
    }

    pub(crate) fn sign_in_links(&self) -> &SignInLinks {
        &self.0.sign_in_links
    }

    pub(crate) fn concurrency(&self) -> &ConcurrencyLimiter {
        &self.0.concurrency
    }

    pub(crate) fn body_memory(&self) -> &BodyMemoryLimiter {
        &self.0.body_memory
    }

    pub(crate) fn issuer(&self) -> Option<&Issuer> {
        self.0.issuer.as_ref()
    }

    pub(crate) fn token_last_used(&self) -> &TokenLastUsed {
        &self.0.token_last_used
    }

    pub(crate) fn openapi(&self) -> &Fixed {
        &self.0.openapi
    }

    /// The API reference.
    pub(crate) fn reference(&self) -> &Reference {
        &self.0.reference
    }

    /// The server behind `/mcp`.
    pub(crate) fn mcp(&self) -> &mcp::Server {
        &self.0.mcp
    }

    /// The rules' pages; `None` if the service has no rule catalog.
    pub(crate) fn rule_pages(&self) -> Option<&RulePages> {
        self.0.rule_pages.as_ref()
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State")
            .field("settings", &self.0.settings)
            .finish_non_exhaustive()
    }
}
