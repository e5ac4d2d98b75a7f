//! Database latency. Every statement is counted with a few atomics, without locks or allocations.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// Upper bounds of the buckets, in seconds; the last bucket is unbounded.
pub const LATENCY_BOUNDS: [f64; 16] = [
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5,
    5.0, 10.0,
];

/// A timed operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// Getting a free connection.
    Connection,
    /// Beginning a transaction; on SQLite this includes the wait for the write lock.
    Begin,
    /// A read.
    Select,
    /// An insert or upsert.
    Insert,
    /// An update.
    Update,
    /// A delete.
    Delete,
    /// A commit.
    Commit,
    /// An explicit rollback.
    Rollback,
    /// A whole transaction.
    Transaction,
}

/// How an operation ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Succeeded.
    Done,
    /// Failed, or timed out.
    Failed,
    /// Cancelled by the caller; of a transaction: rolled back.
    Cancelled,
}

/// The counts of one operation and outcome.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// Number of operations.
    pub count: u64,
    /// Total time.
    pub seconds: f64,
    /// Number per bucket of [`LATENCY_BOUNDS`], not cumulative; the last is the unbounded bucket.
    pub buckets: [u64; LATENCY_BOUNDS.len() + 1],
}

/// The latencies of one open database.
#[derive(Debug, Default)]
pub struct LatencyHistogram([[Distribution; Outcome::ALL.len()]; Operation::ALL.len()]);

#[derive(Debug, Default)]
struct Distribution {
    nanos: AtomicU64,
    buckets: [AtomicU64; LATENCY_BOUNDS.len() + 1],
}

/// A running operation. It counts as cancelled when it is dropped without an outcome.
#[derive(Debug)]
pub(crate) struct Running {
    latency: Arc<LatencyHistogram>,
    operation: Operation,
    outcome: Outcome,
    began: Instant,
}

impl Operation {
    /// All operations.
    pub const ALL: [Self; 9] = [
        Self::Connection,
        Self::Begin,
        Self::Select,
        Self::Insert,
        Self::Update,
        Self::Delete,
        Self::Commit,
        Self::Rollback,
        Self::Transaction,
    ];

    /// Classifies a statement.
    pub(crate) fn of(statement: &str) -> Self {
        match statement.as_bytes().first() {
            Some(b'I') => Self::Insert,
            Some(b'U') => Self::Update,
            Some(b'D') => Self::Delete,
            _ => Self::Select,
        }
    }

    /// The label in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Connection => "connection",
            Self::Begin => "begin",
            Self::Select => "select",
            Self::Insert => "insert",
            Self::Update => "update",
            Self::Delete => "delete",
            Self::Commit => "commit",
            Self::Rollback => "rollback",
            Self::Transaction => "transaction",
        }
    }
}

impl Outcome {
    /// All outcomes.
    pub const ALL: [Self; 3] = [Self::Done, Self::Failed, Self::Cancelled];

    /// The label in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Done => "success",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl LatencyHistogram {
    /// The counts so far.
    #[must_use]
    pub fn counted(&self, operation: Operation, outcome: Outcome) -> Counted {
        let distribution = &self.0[operation as usize][outcome as usize];
        let buckets = distribution
            .buckets
            .each_ref()
            .map(|bucket| bucket.load(Ordering::Relaxed));
        let seconds =
            Duration::from_nanos(distribution.nanos.load(Ordering::Relaxed)).as_secs_f64();
        Counted {
            count: buckets.iter().sum(),
            seconds,
            buckets,
        }
    }

    pub(crate) fn begin(self: &Arc<Self>, operation: Operation) -> Running {
        Running {
            latency: Arc::clone(self),
            operation,
            outcome: Outcome::Cancelled,
            began: Instant::now(),
        }
    }
}

impl Distribution {
    fn count(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = LATENCY_BOUNDS
            .iter()
            .take_while(|bound| seconds > **bound)
            .count();
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.nanos.fetch_add(
            u64::try_from(took.as_nanos()).unwrap_or(u64::MAX),
            Ordering::Relaxed,
        );
    }
}

impl Running {
    pub(crate) fn end(mut self, well: bool) {
        self.outcome = if well { Outcome::Done } else { Outcome::Failed };
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.latency.0[self.operation as usize][self.outcome as usize].count(self.began.elapsed());
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::{Distribution, LATENCY_BOUNDS, LatencyHistogram, Operation, Outcome};

    #[test]
    fn a_time_is_counted_in_the_first_bucket_that_holds_it() {
        let distribution = Distribution::default();
        let latency: Vec<_> = LATENCY_BOUNDS
            .into_iter()
            .map(Duration::from_secs_f64)
            .collect();
        for time in latency
            .iter()
            .copied()
            .chain([Duration::ZERO, Duration::from_secs(11)])
        {
            distribution.count(time);
        }
        let buckets = distribution
            .buckets
            .map(std::sync::atomic::AtomicU64::into_inner);
        assert_eq!((buckets[0], buckets[1..].iter().sum::<u64>()), (2, 16));
        assert!(
            buckets[1..].iter().all(|bucket| *bucket == 1),
            "{buckets:?}"
        );
    }

    #[test]
    fn a_dropped_operation_counts_as_cancelled() {
        let latency = Arc::new(LatencyHistogram::default());
        latency.begin(Operation::Select).end(true);
        latency.begin(Operation::Select).end(false);
        drop(latency.begin(Operation::Select));
        for outcome in Outcome::ALL {
            assert_eq!(
                latency.counted(Operation::Select, outcome).count,
                1,
                "{}",
                outcome.as_str()
            );
            assert_eq!(latency.counted(Operation::Insert, outcome).count, 0);
        }
    }

    #[test]
    fn each_operation_has_its_own_slot_and_label() {
        let words: std::collections::BTreeSet<_> = Operation::ALL
            .iter()
            .map(|operation| operation.as_str())
            .collect();
        assert_eq!(words.len(), Operation::ALL.len());
        assert!(
            Operation::ALL
                .iter()
                .enumerate()
                .all(|(place, operation)| *operation as usize == place)
        );
        assert!(
            Outcome::ALL
                .iter()
                .enumerate()
                .all(|(place, outcome)| *outcome as usize == place)
        );
    }
}
