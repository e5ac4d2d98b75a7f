//! What is measured from here to a drop, so that work whose caller went away counts too.

use std::time::{Duration, Instant};

use prometheus_client::metrics::gauge::Gauge;

/// A gauge that is one higher until this is dropped.
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

/// Tells how long something took and how it ended, when it is dropped; without an end, it was cancelled.
pub struct Timer<F: Fn(&'static str, Duration)> {
    started: Instant,
    outcome: &'static str,
    tell: F,
}

impl<F: Fn(&'static str, Duration)> Timer<F> {
    /// Starts now.
    pub fn start(tell: F) -> Self {
        Self { started: Instant::now(), outcome: "cancelled", tell }
    }

    /// Ends with this outcome.
    pub fn end(mut self, outcome: &'static str) {
        self.outcome = outcome;
    }
}

impl<F: Fn(&'static str, Duration)> Drop for Timer<F> {
    fn drop(&mut self) {
        (self.tell)(self.outcome, self.started.elapsed());
    }
}
