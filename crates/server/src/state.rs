//! What every request shares.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use review::Engine;
use store::{Store, UnixMillis};

use crate::metrics::{Metrics, Observed};
use crate::oidc::Issuer;
use crate::openapi;
use crate::pace::Pace;
use crate::room::Room;
use crate::slots::Slots;
use crate::uses::Uses;
use crate::{Clock, Limits, Settings};

/// What every request shares. Clones share the same.
#[derive(Clone)]
pub struct State(Arc<Shared>);

struct Shared {
    store: Store,
    engines: Vec<Arc<dyn Engine>>,
    settings: Settings,
    clock: Clock,
    pace: Pace,
    slots: Slots,
    room: Room,
    issuer: Option<Issuer>,
    uses: Uses,
    metrics: Metrics,
    stopping: AtomicBool,
    /// The OpenAPI document as JSON; it does not change while the server runs.
    openapi: String,
}

impl State {
    /// A service on `store` that reviews with `engines`.
    #[must_use]
    pub fn new(store: Store, engines: Vec<Arc<dyn Engine>>, settings: Settings, clock: Clock) -> Self {
        let pace = Pace::new(settings.limits.requests_per_minute, clock.clone(), store.shared_limits());
        let slots = Slots::new(&settings.limits, store.shared_limits());
        let room = Room::new(&settings.limits);
        let issuer = settings.sign_in.clone().map(|sign_in| Issuer::new(sign_in, clock.clone()));
        let uses = Uses::new(store.clone());
        let openapi = openapi::render(&settings.limits);
        let metrics = Metrics::new(store.times());
        let engines = engines.into_iter().map(|engine| Observed::observe(engine, &metrics)).collect();
        let stopping = AtomicBool::new(false);
        Self(Arc::new(Shared {
            store,
            engines,
            settings,
            clock,
            pace,
            slots,
            room,
            issuer,
            uses,
            metrics,
            stopping,
            openapi,
        }))
    }

    /// What the service counts and measures.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// From now on the service says that it is not ready, so that no new requests are sent to it.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
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

    pub(crate) fn pace(&self) -> &Pace {
        &self.0.pace
    }

    pub(crate) fn slots(&self) -> &Slots {
        &self.0.slots
    }

    pub(crate) fn room(&self) -> &Room {
        &self.0.room
    }

    pub(crate) fn issuer(&self) -> Option<&Issuer> {
        self.0.issuer.as_ref()
    }

    pub(crate) fn uses(&self) -> &Uses {
        &self.0.uses
    }

    pub(crate) fn openapi(&self) -> &str {
        &self.0.openapi
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("settings", &self.0.settings).finish_non_exhaustive()
    }
}
