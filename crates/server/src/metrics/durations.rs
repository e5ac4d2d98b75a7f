//! Durations, as histograms.

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

/// From a cached response to the longest review.
const SECONDS: [f64; 16] = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 120.0,
    600.0,
];

/// A family of histograms of durations in seconds.
pub type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// Creates a family of histograms with the buckets for durations.
#[must_use]
pub fn durations<L: Clone + std::hash::Hash + Eq>() -> Durations<L> {
    Family::new_with_constructor(seconds)
}

pub(super) fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}
