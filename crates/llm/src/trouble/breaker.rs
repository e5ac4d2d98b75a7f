//! A circuit breaker: a model that keeps failing is left alone, and then asked by one call alone whether it is back.
//!
//! What counts is failures in a row that a moment may mend. Any other answer, a refusal of the key for example, shows that
//! the provider is there. "Too many calls" counts as neither: the provider works, and all calls of a review meet it at
//! once. But one that asks for a wait longer than anybody waits is left alone for that long, [`LONGEST_REST`] at most.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::Patience;
use crate::model::CallError;

/// For how long a provider can have itself left alone.
const LONGEST_REST: Duration = Duration::from_secs(300);

pub(super) struct Breaker {
    patience: Patience,
    state: Mutex<State>,
}

#[derive(Clone, Copy)]
enum State {
    /// All calls go through.
    Closed { failures: u32 },
    /// No call goes through before that time. The error is what opened it.
    Open { until: Instant, error: CallError },
    /// One call is on its way to find out; no other goes through.
    Probing { error: CallError },
}

/// What a call shows of a provider.
#[derive(Clone, Copy)]
enum Verdict {
    Works,
    Neither,
    Fails(CallError),
    /// It asks to be left alone for that long.
    Away(Duration, CallError),
}

/// The leave to make one call. Dropped without a word, as a cancelled call does, it lets the next one find out.
pub(super) struct Permit<'a> {
    breaker: &'a Breaker,
    probe: Option<CallError>,
}

impl Breaker {
    pub(super) fn new(patience: Patience) -> Self {
        Self { patience, state: Mutex::new(State::Closed { failures: 0 }) }
    }

    /// The leave to make a call, or the error for which there is none.
    pub(super) fn admit(&self) -> Result<Permit<'_>, CallError> {
        let mut state = self.state();
        let probe = match *state {
            State::Closed { .. } => None,
            State::Open { until, error } if until <= Instant::now() => Some(error),
            State::Open { error, .. } | State::Probing { error } => return Err(error),
        };
        if let Some(error) = probe {
            *state = State::Probing { error };
        }
        Ok(Permit { breaker: self, probe })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdict(&self, error: Option<CallError>) -> Verdict {
        let Some(error) = error.filter(|error| error.is_transient()) else { return Verdict::Works };
        match (error.retry_after(), error) {
            (Some(wait), _) if wait > self.patience.longest_retry_after => Verdict::Away(wait.min(LONGEST_REST), error),
            (_, CallError::RateLimited(_)) => Verdict::Neither,
            _ => Verdict::Fails(error),
        }
    }

    fn next(&self, state: State, verdict: Verdict, probe: bool) -> State {
        match (verdict, state) {
            (Verdict::Works, _) => State::Closed { failures: 0 },
            (Verdict::Away(rest, error), _) => open(rest, error),
            (Verdict::Neither, State::Probing { .. }) if probe => State::Closed { failures: 0 },
            (Verdict::Fails(_), State::Closed { failures }) if failures + 1 < self.patience.failures => {
                State::Closed { failures: failures + 1 }
            }
            (Verdict::Fails(error), State::Closed { .. }) => open(self.patience.rest, error),
            (Verdict::Fails(error), State::Probing { .. }) if probe => open(self.patience.rest, error),
            _ => state,
        }
    }
}

fn open(rest: Duration, error: CallError) -> State {
    State::Open { until: Instant::now() + rest, error }
}

impl Permit<'_> {
    /// Says how the call went: with its error, or with a reply.
    pub(super) fn settle(mut self, error: Option<CallError>) {
        let probe = self.probe.take().is_some();
        let verdict = self.breaker.verdict(error);
        let mut state = self.breaker.state();
        *state = self.breaker.next(*state, verdict, probe);
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let Some(error) = self.probe else { return };
        let mut state = self.breaker.state();
        if matches!(*state, State::Probing { .. }) {
            *state = open(Duration::ZERO, error);
        }
    }
}
