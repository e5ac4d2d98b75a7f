//! Counts the model tokens of a review while it runs, so that they are known however it ends.

use std::sync::atomic::{AtomicU64, Ordering};

use review::{Event, Filter};

/// The tokens of one review. Engines report what a call took when it ends, be it that it was cut off.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// As providers report them.
    reported: AtomicU64,
    /// Of calls that no provider reports, because they were cut off for example.
    estimated: AtomicU64,
}

impl Meter {
    /// Tokens used; an estimate does not go beyond what was `granted`.
    pub(super) fn used(&self, granted: u64) -> u64 {
        let reported = self.reported.load(Ordering::SeqCst);
        reported + self.estimated.load(Ordering::SeqCst).min(granted.saturating_sub(reported))
    }
}

impl Filter for Meter {
    fn filter(&self, _: &'static str, event: Event) -> Option<Event> {
        if let Event::Used(usage) = &event {
            let counter = if usage.estimated { &self.estimated } else { &self.reported };
            counter.fetch_add(usage.total_tokens, Ordering::SeqCst);
        }
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering;

    use super::Meter;

    #[test]
    fn an_estimate_is_bounded_by_what_was_granted_and_a_report_is_not() {
        let meter = Meter::default();
        meter.reported.store(70, Ordering::SeqCst);
        assert_eq!((meter.used(50), meter.used(100)), (70, 70));
        meter.estimated.store(1_000, Ordering::SeqCst);
        assert_eq!((meter.used(50), meter.used(100), meter.used(5_000)), (70, 100, 1_070));
    }
}
