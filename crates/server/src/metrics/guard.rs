//! Measurements that end on drop, so that work of disconnected callers counts too.

use std::time::{Duration, Instant};

use prometheus_client::metrics::gauge::Gauge;

/// Increments a gauge until it is dropped.
#[derive(Debug)]
pub(crate) struct GaugeGuard(Gauge);

impl GaugeGuard {
    pub(crate) fn new(gauge: &Gauge) -> Self {
        gauge.inc();
        Self(gauge.clone())
    }
}

impl Drop for GaugeGuard {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// Reports a duration and an outcome when it is dropped; without an explicit outcome, it was cancelled.
pub struct Timer<F: Fn(&'static str, Duration)> {
    started: Instant,
    outcome: &'static str,
    report: F,
}

impl<F: Fn(&'static str, Duration)> Timer<F> {
    /// Starts the timer.
    pub fn start(report: F) -> Self {
        Self {
            started: Instant::now(),
            outcome: "cancelled",
            report,
        }
    }

    /// Stops the timer with this outcome.
    pub fn end(mut self, outcome: &'static str) {
        self.outcome = outcome;
    }
}

impl<F: Fn(&'static str, Duration)> Drop for Timer<F> {
    fn drop(&mut self) {
        (self.report)(self.outcome, self.started.elapsed());
    }
}
