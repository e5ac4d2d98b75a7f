//! Counts the model tokens of a review while it runs, so that they are known however it ends.

use std::sync::{Mutex, MutexGuard, PoisonError};

use review::{Event, Filter, TokenUsage};

/// The tokens of one review. Engines report the use of a call when it ends, also if it is cut off.
#[derive(Debug)]
pub(super) struct Meter(Mutex<State>);

#[derive(Debug, Clone, Copy)]
struct State {
    /// Tokens that the review may use.
    granted: u64,
    /// Use that a provider reported.
    reported: TokenUsage,
    /// Use that no provider reported, for example because the call was cut off.
    estimated: TokenUsage,
}

impl Meter {
    /// A meter that has counted nothing and does not know of a bound.
    pub(super) fn new() -> Self {
        let nothing = TokenUsage::default();
        Self(Mutex::new(State {
            granted: u64::MAX,
            reported: nothing,
            estimated: nothing,
        }))
    }

    /// The review may use so many tokens.
    pub(super) fn grant(&self, tokens: u64) {
        self.state().granted = tokens;
    }

    /// Tokens used so far. Estimates are cut so that the total is not beyond what was granted; the reply's is cut first.
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
        // Nothing panics while it is locked.
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
    fn an_estimate_is_bounded_by_what_was_granted_and_a_report_is_not() {
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
