//! Counts the model tokens of a review while it runs, so that they are known however it ends.

use std::sync::{Mutex, MutexGuard, PoisonError};

use review::{Event, Filter, TokenUsage};

/// The tokens of one review. Engines report the usage of a call when it ends, also if it is cancelled.
#[derive(Debug)]
pub(super) struct Meter(Mutex<State>);

#[derive(Debug, Clone, Copy)]
struct State {
    /// Maximum tokens of the review.
    granted: u64,
    /// Usage reported by providers.
    reported: TokenUsage,
    /// Estimated usage without a provider's report, for example of a cancelled call.
    estimated: TokenUsage,
}

impl Meter {
    /// A meter at zero, without a limit.
    pub(super) fn new() -> Self {
        let nothing = TokenUsage::default();
        Self(Mutex::new(State {
            granted: u64::MAX,
            reported: nothing,
            estimated: nothing,
        }))
    }

    /// Sets the maximum tokens of the review.
    pub(super) fn grant(&self, tokens: u64) {
        self.state().granted = tokens;
    }

    /// Tokens used so far. Estimates are reduced if the total would exceed the maximum; those of replies are reduced
    /// first.
    pub(super) fn used(&self) -> TokenUsage {
        let State {
            granted,
            reported,
            estimated,
        } = *self.state();
        let room = granted.saturating_sub(reported.total_tokens);
        let prompt_tokens = estimated.prompt_tokens.min(room);
        let completion_tokens = estimated.completion_tokens.min(room - prompt_tokens);
        let mut used = reported;
        used += TokenUsage {
            prompt_tokens,
            completion_tokens,
            total_tokens: prompt_tokens + completion_tokens,
            estimated: estimated.total_tokens > 0,
        };
        used
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while the lock is held.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Filter for Meter {
    fn filter(&self, _: &'static str, event: Event) -> Option<Event> {
        if let Event::Used(usage) = &event {
            let mut state = self.state();
            let counter = if usage.estimated {
                &mut state.estimated
            } else {
                &mut state.reported
            };
            *counter += *usage;
        }
        Some(event)
    }
}

#[cfg(test)]
mod tests {
    use review::{Event, Filter as _, TokenUsage};

    use super::Meter;

    fn usage(prompt_tokens: u64, completion_tokens: u64, estimated: bool) -> Event {
        let total_tokens = prompt_tokens + completion_tokens;
        Event::Used(TokenUsage {
            prompt_tokens,
            completion_tokens,
            total_tokens,
            estimated,
        })
    }

    #[test]
    fn estimates_are_limited_to_the_granted_tokens_and_reports_are_not() {
        let meter = Meter::new();
        let used = |granted| {
            meter.grant(granted);
            let used = meter.used();
            assert_eq!(
                used.total_tokens,
                used.prompt_tokens + used.completion_tokens
            );
            (used.prompt_tokens, used.completion_tokens)
        };
        meter.filter("model", usage(60, 10, false));
        assert_eq!((used(50), used(100)), ((60, 10), (60, 10)));
        meter.filter("model", usage(20, 1_000, true));
        assert_eq!(
            (used(50), used(80), used(100)),
            ((60, 10), (70, 10), (80, 20))
        );
        assert_eq!(used(u64::MAX), (80, 1_010));
    }
}
