//! Whether the database is reachable, and the number of connections to it.

use std::time::{Duration, Instant};

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use store::Store;

/// A database that takes longer to answer counts as down, because scrapes come every few seconds.
const PING: Duration = Duration::from_secs(2);

/// The state of the database at a scrape.
pub(super) struct Database {
    up: Gauge,
    ping: Gauge<f64, std::sync::atomic::AtomicU64>,
    connections: Family<Labels, Gauge>,
    connections_max: Gauge,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Labels {
    state: &'static str,
}

impl Database {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let database = Self {
            up: Gauge::default(),
            ping: Gauge::default(),
            connections: Family::default(),
            connections_max: Gauge::default(),
        };
        registry.register(
            "database_up",
            "Whether the database answered at this scrape",
            database.up.clone(),
        );
        registry.register(
            "database_ping_seconds",
            "Time until the database answered, including the wait for a connection",
            database.ping.clone(),
        );
        registry.register(
            "database_connections",
            "Open connections to the database",
            database.connections.clone(),
        );
        registry.register(
            "database_connections_max",
            "Maximum database connections of this process",
            database.connections_max.clone(),
        );
        database
    }

    /// Counts the connections, and then checks the database.
    pub(super) async fn look(&self, store: &Store) {
        let connections = store.connections();
        let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        self.connections_max.set(count(connections.max));
        for (state, number) in [("used", connections.used), ("idle", connections.idle)] {
            self.connections
                .get_or_create(&Labels { state })
                .set(count(number));
        }
        let began = Instant::now();
        let answered = tokio::time::timeout(PING, store.ping()).await;
        self.up.set(i64::from(matches!(answered, Ok(Ok(())))));
        self.ping.set(began.elapsed().as_secs_f64());
    }
}
