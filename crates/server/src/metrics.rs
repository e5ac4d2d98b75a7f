//! Prometheus metrics of the service.
//!
//! There is no global registry, because tests run concurrently: [`Metrics`] belongs to one [`crate::State`], and other components
//! register their metrics there. `prometheus-client` brings three small crates; the exporter of `metrics` brings more than ten and
//! one recorder for the process. No label takes a value that a caller can choose: routes are templates, methods and outcomes are
//! fixed lists.

mod database;
mod database_latency;
mod durations;
mod engine;
mod guard;
mod http;
mod review;
pub(crate) mod text_format;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use store::{LatencyHistogram, Store};

use database::Database;
use database_latency::DatabaseLatency;
use engine::Chunks;

pub use durations::{Durations, durations};
pub(crate) use guard::GaugeGuard;
pub use guard::Timer;
pub(crate) use http::Http;
pub(crate) use review::{ReviewTimer, Reviews};

/// The prefix of all metrics.
pub const PREFIX: &str = "hunkwise";

/// The metrics of one service. Clones share them.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Mutex<Registry>,
    http: Http,
    reviews: Arc<Reviews>,
    chunks: Chunks,
    database: Database,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: &'static str,
}

impl Metrics {
    /// Creates the metrics, including the latencies of the service's database.
    pub(crate) fn new(latency: &Arc<LatencyHistogram>) -> Self {
        let mut root = Registry::default();
        let registry = root.sub_registry_with_prefix(PREFIX);
        registry.register(
            "build",
            "The program",
            Info::new(Build {
                version: env!("CARGO_PKG_VERSION"),
            }),
        );
        let http = Http::register(registry);
        let reviews = Arc::new(Reviews::register(registry));
        let chunks = Chunks::register(registry);
        let database = Database::register(registry);
        registry.register_collector(Box::new(DatabaseLatency(Arc::clone(latency))));
        Self(Arc::new(Inner {
            registry: Mutex::new(root),
            http,
            reviews,
            chunks,
            database,
        }))
    }

    /// Registers a collector; our names start with [`PREFIX`].
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self
            .0
            .registry
            .lock()
            .unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn http(&self) -> &Http {
        &self.0.http
    }

    pub(crate) fn reviews(&self) -> &Arc<Reviews> {
        &self.0.reviews
    }

    pub(crate) fn chunks(&self) -> &Chunks {
        &self.0.chunks
    }

    /// All metrics as text, including the current state of the database.
    ///
    /// # Errors
    /// A metric could not be written.
    pub(crate) async fn page(&self, store: &Store) -> Result<String, fmt::Error> {
        self.0.database.look(store).await;
        let mut page = String::new();
        let registry = self
            .0
            .registry
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        text::encode(&mut page, &registry).map(|()| page)
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}
