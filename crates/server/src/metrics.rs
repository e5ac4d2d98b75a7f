//! What the service counts and measures, for Prometheus.
//!
//! There is no global registry: [`Metrics`] belongs to one [`crate::State`], and whoever else has something to tell
//! registers it there. No label takes a value that a caller chooses: routes are templates, methods and outcomes are lists.

mod database;
mod engine;
mod guard;
mod http;
mod review;
mod scrape;

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use store::Times;

pub(crate) use engine::Observed;
pub(crate) use guard::Raised;
pub use guard::Timer;
pub(crate) use http::Http;
pub(crate) use review::{Reviews, Underway};
pub use scrape::metrics_router;

/// What every name of ours begins with.
pub const PREFIX: &str = "hunkwise";

/// From a cached answer to the longest review.
const SECONDS: [f64; 16] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0, 600.0];

/// A family of histograms of durations in seconds.
pub type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// A family of histograms with the buckets that durations have here.
#[must_use]
pub fn durations<L: Clone + std::hash::Hash + Eq>() -> Durations<L> {
    Family::new_with_constructor(seconds)
}

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

/// The metrics of one service. Clones are the same.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>);

struct Inner {
    registry: Mutex<Registry>,
    http: Http,
    reviews: Reviews,
    chunks: Durations<engine::Labels>,
    database: scrape::Database,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: &'static str,
}

impl Metrics {
    /// With the times of the service's database.
    pub(crate) fn new(times: &Arc<Times>) -> Self {
        let mut root = Registry::default();
        let registry = root.sub_registry_with_prefix(PREFIX);
        registry.register("build", "The program", Info::new(Build { version: env!("CARGO_PKG_VERSION") }));
        let http = Http::register(registry);
        let reviews = Reviews::register(registry);
        let chunks = durations();
        registry.register(
            "engine_chunk_duration_seconds",
            "Time that an engine took for one chunk of a diff",
            Durations::clone(&chunks),
        );
        let database = scrape::Database::register(registry);
        registry.register_collector(Box::new(database::DatabaseTimes(Arc::clone(times))));
        Self(Arc::new(Inner { registry: Mutex::new(root), http, reviews, chunks, database }))
    }

    /// Adds metrics of others; names of ours go below [`PREFIX`].
    pub fn register(&self, add: impl FnOnce(&mut Registry)) {
        add(&mut self.0.registry.lock().unwrap_or_else(PoisonError::into_inner));
    }

    pub(crate) fn http(&self) -> &Http {
        &self.0.http
    }

    pub(crate) fn reviews(&self) -> &Reviews {
        &self.0.reviews
    }

    fn chunk(&self, engine: &'static str, outcome: &'static str, took: Duration) {
        self.0.chunks.get_or_create(&engine::Labels { engine, outcome }).observe(took.as_secs_f64());
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}
