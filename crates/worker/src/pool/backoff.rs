//! Backs off while starting workers keeps failing, so that a broken installation does not spawn processes in a loop.

use std::time::Duration;

use tokio::time::Instant;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(10);

/// The state of the last starts.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    last: Option<Failed>,
}

#[derive(Debug)]
struct Failed {
    reason: String,
    pause: Duration,
    until: Instant,
}

impl Backoff {
    /// Whether the last start failed.
    ///
    /// # Errors
    /// The reason of the last failure while its pause is not over.
    pub(super) fn failing(&self, now: Instant) -> Result<bool, String> {
        match &self.last {
            None => Ok(false),
            Some(failed) if now < failed.until => Err(failed.reason.clone()),
            Some(_) => Ok(true),
        }
    }

    /// Why the last start failed, if it did.
    pub(super) fn reason(&self) -> Option<&str> {
        self.last.as_ref().map(|failed| failed.reason.as_str())
    }

    /// Records that a worker started.
    pub(super) fn succeeded(&mut self) {
        self.last = None;
    }

    /// Records a failed start. Each consecutive failure doubles the pause.
    pub(super) fn failed(&mut self, now: Instant, reason: &str) {
        let pause = self
            .last
            .as_ref()
            .map_or(FIRST_PAUSE, |last| (last.pause * 2).min(LONGEST_PAUSE));
        self.last = Some(Failed {
            reason: reason.to_owned(),
            pause,
            until: now + pause,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::{Backoff, FIRST_PAUSE, LONGEST_PAUSE};
    use tokio::time::Instant;

    #[test]
    fn consecutive_failures_double_the_pause_up_to_a_maximum_and_a_success_resets_it() {
        let mut backoff = Backoff::default();
        let start = Instant::now();
        assert_eq!(backoff.failing(start), Ok(false));
        backoff.failed(start, "no memory");
        assert_eq!(backoff.failing(start), Err("no memory".to_owned()));
        assert_eq!(backoff.failing(start + FIRST_PAUSE), Ok(true));
        backoff.failed(start, "no memory");
        assert!(backoff.failing(start + FIRST_PAUSE).is_err());
        assert_eq!(backoff.failing(start + FIRST_PAUSE * 2), Ok(true));
        for _ in 0..20 {
            backoff.failed(start, "no memory");
        }
        assert_eq!(backoff.failing(start + LONGEST_PAUSE), Ok(true));
        backoff.succeeded();
        assert_eq!(backoff.failing(start), Ok(false));
    }
}
