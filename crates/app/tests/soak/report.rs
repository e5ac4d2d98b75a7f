//! The latencies of a tenant.

use std::fmt;
use std::time::Duration;

/// The maximum median and 99th percentile of the review times of a good tenant, on two cores. A build without
/// optimization takes several times as long.
const HALF_WITHIN: Duration = Duration::from_secs(if cfg!(debug_assertions) { 4 } else { 1 });
const NEARLY_ALL_WITHIN: Duration =
    Duration::from_secs(if cfg!(debug_assertions) { 12 } else { 3 });

/// The review times of one tenant.
pub(crate) struct Latencies {
    name: &'static str,
    times: Vec<Duration>,
    failures: Vec<String>,
}

impl Latencies {
    pub(crate) fn new(name: &'static str) -> Self {
        Self {
            name,
            times: Vec::new(),
            failures: Vec::new(),
        }
    }

    pub(crate) fn add(&mut self, time: Duration) {
        self.times.push(time);
    }

    pub(crate) fn fail(&mut self, how: String) {
        self.failures.push(how);
    }

    fn percentile(&self, percent: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times
            .get((times.len() * percent / 100).min(times.len().saturating_sub(1)))
            .copied()
            .unwrap_or_default()
    }

    /// Asserts that no review failed and that all were answered in time.
    pub(crate) fn check(&self) {
        assert_eq!(self.failures, Vec::<String>::new(), "{}", self.name);
        assert!(
            !self.times.is_empty(),
            "{}: nothing was reviewed",
            self.name
        );
        assert!(self.percentile(50) <= HALF_WITHIN, "{self}");
        assert!(self.percentile(99) <= NEARLY_ALL_WITHIN, "{self}");
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [half, nearly_all, all] = [50, 99, 100].map(|percent| self.percentile(percent));
        let (count, failed) = (self.times.len(), self.failures.len());
        write!(
            f,
            "{}: {count} reviews, p50 {half:.1?}, p99 {nearly_all:.1?}, max {all:.1?}, {failed} failed",
            self.name
        )
    }
}
