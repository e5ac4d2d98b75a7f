//! Retries and waits for a model that does not answer.

use std::time::Duration;

use crate::model::CallError;

/// Retries and waits for one model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetryPolicy {
    /// Maximum calls of one prompt to one model.
    pub attempts: u32,
    /// Upper bound of the first wait.
    pub first_wait: Duration,
    /// Factor by which the bound grows from one wait to the next.
    pub factor: u32,
    /// Maximum of the bound.
    pub longest_wait: Duration,
    /// The longest retry delay of a provider that is honoured.
    pub longest_retry_after: Duration,
    /// Consecutive failures after which a model is skipped.
    pub failures: u32,
    /// For how long it is skipped.
    pub rest: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self {
            attempts: 3,
            first_wait: Duration::from_millis(500),
            factor: 2,
            longest_wait: Duration::from_secs(30),
            longest_retry_after: Duration::from_secs(60),
            failures: 5,
            rest: Duration::from_secs(30),
        }
    }
}

impl RetryPolicy {
    /// How long to wait before the next attempt after `attempts` failures; `None` if there is no further attempt.
    pub(super) fn wait(&self, error: CallError, attempts: u32, jitter: f64) -> Option<Duration> {
        if !error.is_transient() || attempts >= self.attempts {
            return None;
        }
        match error.retry_after() {
            Some(asked) if asked > self.longest_retry_after => None,
            Some(asked) => Some(asked + drawn(self.first_wait, jitter)),
            None => Some(drawn(self.bound(attempts), jitter)),
        }
    }

    fn bound(&self, attempts: u32) -> Duration {
        let growth = self.factor.saturating_pow(attempts.saturating_sub(1));
        self.first_wait
            .saturating_mul(growth)
            .min(self.longest_wait)
    }
}

fn drawn(bound: Duration, jitter: f64) -> Duration {
    let jitter = if jitter.is_nan() { 0.0 } else { jitter };
    bound.mul_f64(jitter.clamp(0.0, 1.0))
}
