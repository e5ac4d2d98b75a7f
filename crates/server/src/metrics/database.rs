//! How long is waited for the database, as the store counted it.

use std::fmt;
use std::sync::Arc;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, MetricEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType;
use store::{Counted, Ending, Step, TIME_BOUNDS, Times};

const OPERATIONS: [Step; 7] =
    [Step::Begin, Step::Select, Step::Insert, Step::Update, Step::Delete, Step::Commit, Step::Rollback];

/// Read at each scrape.
#[derive(Debug)]
pub(super) struct DatabaseTimes(pub(super) Arc<Times>);

impl Collector for DatabaseTimes {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let mut waits = encoder.encode_descriptor(
            "database_connection_wait_seconds",
            "Time that was waited for a free connection to the database",
            None,
            MetricType::Histogram,
        )?;
        for ending in Ending::ALL {
            tell(&mut waits, &[("outcome", ending.as_str())], &self.0.counted(Step::Connection, ending))?;
        }
        let mut operations = encoder.encode_descriptor(
            "database_operation_duration_seconds",
            "Time that a statement took in the database",
            None,
            MetricType::Histogram,
        )?;
        for (operation, ending) in OPERATIONS.into_iter().flat_map(|step| Ending::ALL.map(|ending| (step, ending))) {
            let labels = [("operation", operation.as_str()), ("outcome", ending.as_str())];
            tell(&mut operations, &labels, &self.0.counted(operation, ending))?;
        }
        let mut transactions = encoder.encode_descriptor(
            "database_transaction_duration_seconds",
            "Time from the beginning of a transaction to its end",
            None,
            MetricType::Histogram,
        )?;
        for (ending, outcome) in [(Ending::Done, "committed"), (Ending::Cancelled, "rolled_back")] {
            tell(&mut transactions, &[("outcome", outcome)], &self.0.counted(Step::Transaction, ending))?;
        }
        Ok(())
    }
}

fn tell(metric: &mut MetricEncoder<'_>, labels: &impl EncodeLabelSet, counted: &Counted) -> fmt::Result {
    let bounds = TIME_BOUNDS.into_iter().chain([f64::INFINITY]);
    let buckets: Vec<(f64, u64)> = bounds.zip(counted.buckets).collect();
    metric.encode_family(labels)?.encode_histogram::<NoLabelSet>(counted.seconds, counted.count, &buckets, None)
}
