//! Database latencies, as counted by the store.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use store::{Counted, LATENCY_BOUNDS, LatencyHistogram, Operation, Outcome};

const OPERATIONS: [Operation; 7] = [
    Operation::Begin,
    Operation::Select,
    Operation::Insert,
    Operation::Update,
    Operation::Delete,
    Operation::Commit,
    Operation::Rollback,
];

/// Read at each scrape.
#[derive(Debug)]
pub(super) struct DatabaseLatency(pub(super) Arc<LatencyHistogram>);

impl Collector for DatabaseLatency {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut waits = encoder.encode_descriptor(
            "database_connection_wait_seconds",
            "Time spent waiting for a free database connection",
            None,
            MetricType::Histogram,
        )?;
        for outcome in Outcome::ALL {
            encode_counts(
                &mut waits,
                &[("outcome", outcome.as_str())],
                &self.0.counted(Operation::Connection, outcome),
            )?;
        }
        let mut operations = encoder.encode_descriptor(
            "database_operation_duration_seconds",
            "Duration of a database statement",
            None,
            MetricType::Histogram,
        )?;
        for (operation, outcome) in OPERATIONS
            .into_iter()
            .flat_map(|operation| Outcome::ALL.map(|outcome| (operation, outcome)))
        {
            let labels = [
                ("operation", operation.as_str()),
                ("outcome", outcome.as_str()),
            ];
            encode_counts(
                &mut operations,
                &labels,
                &self.0.counted(operation, outcome),
            )?;
        }
        let mut transactions = encoder.encode_descriptor(
            "database_transaction_duration_seconds",
            "Duration of a database transaction",
            None,
            MetricType::Histogram,
        )?;
        for (outcome, label) in [
            (Outcome::Done, "committed"),
            (Outcome::Cancelled, "rolled_back"),
        ] {
            encode_counts(
                &mut transactions,
                &[("outcome", label)],
                &self.0.counted(Operation::Transaction, outcome),
            )?;
        }
        Ok(())
    }
}

fn encode_counts(
    metric: &mut MetricEncoder<'_>,
    labels: &impl EncodeLabelSet,
    counted: &Counted,
) -> fmt::Result {
    let bounds = LATENCY_BOUNDS.into_iter().chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(counted.buckets).collect();
    metric
        .encode_family(labels)?
        .encode_histogram::<NoLabelSet>(counted.seconds, counted.count, &buckets, None)
}
