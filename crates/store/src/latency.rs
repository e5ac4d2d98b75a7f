//! How long is waited for the database. It is counted where every statement goes through, by a few atomics: no lock, no
//! allocation.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// The upper ends of the buckets, in seconds; the last bucket has none.
pub const LATENCY_BOUNDS: [f64; 16] =
    [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// What is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// A free connection.
    Connection,
    /// The beginning of a transaction; on SQLite, the writer's turn.
    Begin,
    /// A statement that reads.
    Select,
    /// A statement that adds rows or, where they exist, changes them.
    Insert,
    /// A statement that changes rows.
    Update,
    /// A statement that takes rows away.
    Delete,
    /// The end of a transaction whose changes stay.
    Commit,
    /// The end of a transaction that is waited for, and whose changes do not stay.
    Rollback,
    /// A transaction from its beginning to its end.
    Transaction,
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Well.
    Done,
    /// The database refused, was not there, or took too long.
    Failed,
    /// Whoever waited went away; of a transaction: its changes did not stay.
    Cancelled,
}

/// What was counted of a step with an ending.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    /// How often.
    pub count: u64,
    /// All the time together.
    pub seconds: f64,
    /// How often up to each of [`LATENCY_BOUNDS`] and beyond the one before it, and at the end beyond all.
    pub buckets: [u64; LATENCY_BOUNDS.len() + 1],
}

/// The times of one open database.
#[derive(Debug, Default)]
pub struct LatencyHistogram([[Distribution; Outcome::ALL.len()]; Operation::ALL.len()]);

#[derive(Debug, Default)]
struct Distribution {
    nanos: AtomicU64,
    buckets: [AtomicU64; LATENCY_BOUNDS.len() + 1],
}

/// A step under way. Dropped without an ending, it was cancelled.
#[derive(Debug)]
pub(crate) struct Running {
    latency: Arc<LatencyHistogram>,
    operation: Operation,
    outcome: Outcome,
    began: Instant,
}

impl Operation {
    /// All of them.
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

    /// What kind of statement this is.
    pub(crate) fn of(statement: &str) -> Self {
        match statement.as_bytes().first() {
            Some(b'I') => Self::Insert,
            Some(b'U') => Self::Update,
            Some(b'D') => Self::Delete,
            _ => Self::Select,
        }
    }

    /// One word.
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
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Done, Self::Failed, Self::Cancelled];

    /// One word.
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
    /// What was counted so far.
    #[must_use]
    pub fn counted(&self, operation: Operation, outcome: Outcome) -> Counted {
        let distribution = &self.0[operation as usize][outcome as usize];
        let buckets = distribution.buckets.each_ref().map(|bucket| bucket.load(Ordering::Relaxed));
        let seconds = Duration::from_nanos(distribution.nanos.load(Ordering::Relaxed)).as_secs_f64();
        Counted { count: buckets.iter().sum(), seconds, buckets }
    }

    pub(crate) fn begin(self: &Arc<Self>, operation: Operation) -> Running {
        Running { latency: Arc::clone(self), operation, outcome: Outcome::Cancelled, began: Instant::now() }
    }
}

impl Distribution {
    fn count(&self, took: Duration) {
        let seconds = took.as_secs_f64();
        let bucket = LATENCY_BOUNDS.iter().take_while(|bound| seconds > **bound).count();
        self.buckets[bucket].fetch_add(1, Ordering::Relaxed);
        self.nanos.fetch_add(u64::try_from(took.as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
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
    fn a_time_is_in_one_bucket_whose_end_it_does_not_exceed() {
        let distribution = Distribution::default();
        let latency: Vec<_> = LATENCY_BOUNDS.into_iter().map(Duration::from_secs_f64).collect();
        for time in latency.iter().copied().chain([Duration::ZERO, Duration::from_secs(11)]) {
            distribution.count(time);
        }
        let buckets = distribution.buckets.map(std::sync::atomic::AtomicU64::into_inner);
        assert_eq!((buckets[0], buckets[1..].iter().sum::<u64>()), (2, 16));
        assert!(buckets[1..].iter().all(|bucket| *bucket == 1), "{buckets:?}");
    }

    #[test]
    fn what_is_dropped_was_cancelled() {
        let latency = Arc::new(LatencyHistogram::default());
        latency.begin(Operation::Select).end(true);
        latency.begin(Operation::Select).end(false);
        drop(latency.begin(Operation::Select));
        for outcome in Outcome::ALL {
            assert_eq!(latency.counted(Operation::Select, outcome).count, 1, "{}", outcome.as_str());
            assert_eq!(latency.counted(Operation::Insert, outcome).count, 0);
        }
    }

    #[test]
    fn each_step_has_a_place_and_a_word_of_its_own() {
        let words: std::collections::BTreeSet<_> = Operation::ALL.iter().map(|operation| operation.as_str()).collect();
        assert_eq!(words.len(), Operation::ALL.len());
        assert!(Operation::ALL.iter().enumerate().all(|(place, operation)| *operation as usize == place));
        assert!(Outcome::ALL.iter().enumerate().all(|(place, outcome)| *outcome as usize == place));
    }
}
