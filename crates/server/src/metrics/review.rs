//! Reviews that wait, run, end, or are rejected.

use std::future::Future;
use std::sync::Arc;
use std::time::Instant;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use review::{DropCause, Dropped};
use store::UsageDelta;

use super::durations::{Durations, durations, seconds};
use super::guard::GaugeGuard;
use crate::error::{Code, Problem};

/// See the module.
pub(crate) struct Reviews {
    ended: Durations<Outcome>,
    running: Gauge,
    queued: Gauge,
    waited: Histogram,
    rejected: Family<Reason, Counter>,
    findings: Family<Priority, Counter>,
    dropped: Family<Cause, Counter>,
    tokens: Family<Kind, Counter>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Reason {
    reason: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Priority {
    priority: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Cause {
    cause: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: &'static str,
}

/// An admitted review.
pub(crate) struct ReviewTimer {
    reviews: Arc<Reviews>,
    started: Instant,
    outcome: &'static str,
    _running: GaugeGuard,
}

impl Reviews {
    pub(super) fn register(registry: &mut Registry) -> Self {
        let reviews = Self {
            ended: durations(),
            running: Gauge::default(),
            queued: Gauge::default(),
            waited: seconds(),
            rejected: Family::default(),
            findings: Family::default(),
            dropped: Family::default(),
            tokens: Family::default(),
        };
        reviews.begin_at_nothing();
        registry.register(
            "review_duration_seconds",
            "Duration of a review after its admission",
            Durations::clone(&reviews.ended),
        );
        registry.register(
            "reviews_running",
            "Reviews under way",
            reviews.running.clone(),
        );
        registry.register(
            "reviews_queued",
            "Reviews in the queue",
            reviews.queued.clone(),
        );
        registry.register(
            "review_queue_seconds",
            "Time that a review waited for a slot",
            reviews.waited.clone(),
        );
        registry.register(
            "reviews_rejected",
            "Reviews rejected before they ran",
            reviews.rejected.clone(),
        );
        registry.register("findings", "Findings returned", reviews.findings.clone());
        registry.register(
            "findings_dropped",
            "Findings that were dropped",
            reviews.dropped.clone(),
        );
        registry.register(
            "review_tokens",
            "Language-model tokens used by reviews",
            reviews.tokens.clone(),
        );
        reviews
    }

    /// Counters that are still 0 are exported as well, so that their first increment is visible as a change.
    fn begin_at_nothing(&self) {
        for outcome in ["success", "failed", "timed_out", "cancelled"] {
            drop(self.ended.get_or_create(&Outcome { outcome }));
        }
        for reason in ["too_many_reviews", "overloaded", "quota_exceeded", "other"] {
            drop(self.rejected.get_or_create(&Reason { reason }));
        }
        for priority in ["P0", "P1", "P2", "P3"] {
            drop(self.findings.get_or_create(&Priority { priority }));
        }
        for cause in DropCause::ALL {
            drop(self.dropped.get_or_create(&Cause {
                cause: cause.as_str(),
            }));
        }
    }

    /// Counts a review that waits for its turn.
    pub(crate) async fn queue<T>(
        &self,
        turn: impl Future<Output = Result<T, Problem>>,
    ) -> Result<T, Problem> {
        let (waiting, began) = (GaugeGuard::new(&self.queued), Instant::now());
        let turn = turn.await;
        drop(waiting);
        self.waited.observe(began.elapsed().as_secs_f64());
        turn.inspect_err(|problem| self.reject(problem))
    }

    /// Counts a rejected review.
    pub(crate) fn reject(&self, problem: &Problem) {
        let reason = match problem.code {
            Code::TooManyReviews => "too_many_reviews",
            Code::Overloaded => "overloaded",
            Code::QuotaExceeded => "quota_exceeded",
            _ => "other",
        };
        self.rejected.get_or_create(&Reason { reason }).inc();
    }
}

impl ReviewTimer {
    /// Starts a review.
    pub(crate) fn begin(reviews: &Arc<Reviews>) -> Self {
        let running = GaugeGuard::new(&reviews.running);
        Self {
            reviews: Arc::clone(reviews),
            started: Instant::now(),
            outcome: "cancelled",
            _running: running,
        }
    }

    /// Ends the review with what it found, used and dropped.
    pub(crate) fn done(&mut self, usage: &UsageDelta, dropped: &[Dropped]) {
        self.outcome = "success";
        let reviews = &self.reviews;
        for (priority, count) in ["P0", "P1", "P2", "P3"].into_iter().zip(usage.findings) {
            reviews
                .findings
                .get_or_create(&Priority { priority })
                .inc_by(count);
        }
        for Dropped { cause, count, .. } in dropped {
            reviews
                .dropped
                .get_or_create(&Cause {
                    cause: cause.as_str(),
                })
                .inc_by(*count as u64);
        }
        for (kind, count) in [
            ("prompt", usage.prompt_tokens),
            ("completion", usage.completion_tokens),
        ] {
            reviews.tokens.get_or_create(&Kind { kind }).inc_by(count);
        }
    }

    /// Ends the review without a result.
    pub(crate) fn failed(&mut self, outcome: &'static str) {
        self.outcome = outcome;
    }
}

impl Drop for ReviewTimer {
    fn drop(&mut self) {
        let labels = Outcome {
            outcome: self.outcome,
        };
        self.reviews
            .ended
            .get_or_create(&labels)
            .observe(self.started.elapsed().as_secs_f64());
    }
}
