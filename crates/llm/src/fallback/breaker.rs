//! A circuit breaker: a model that keeps failing is left alone, and then asked by one call alone whether it is back.
//!
//! What counts is failures in a row that a moment may mend. Any other answer, a refusal of the key for example, shows that
//! the provider is there. "Too many calls" counts as neither: the provider works, and all calls of a review meet it at
//! once.
//!
//! A prompt can make a provider fail, time out or talk nonsense, and prompts are the tenants': so **failures count for the tenant
//! that meets them, and no tenant is refused for those of others**. Others' failures only shorten a tenant's patience: where
//! the model has been left alone by several tenants, and nobody has had an answer since, one failure is enough.
//!
//! What holds for everybody is the provider's own word on the key that they share: one that allows no more calls for longer
//! than anybody waits is left alone by all for that long, [`LONGEST_REST`] at most.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::retry_policy::RetryPolicy;
use crate::model::CallError;

/// For how long a provider can have itself left alone.
const LONGEST_REST: Duration = Duration::from_secs(300);
/// So many tenants with failures are remembered; one beyond them is asked for as if nothing had happened.
const TENANTS: usize = 4_096;
/// So many other tenants with failures show that it is not their prompts.
const OTHERS: usize = 2;

pub(super) struct Breaker {
    policy: RetryPolicy,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    everybody: State,
    /// Those with failures; the others are closed without a failure.
    tenants: HashMap<String, State>,
    /// When anybody was last answered.
    answered: Option<Instant>,
}

#[derive(Clone, Copy)]
enum State {
    /// All calls go through.
    Closed { failures: u32 },
    /// No call goes through before that time. The error is what opened it.
    Open {
        since: Instant,
        until: Instant,
        error: CallError,
    },
    /// One call is on its way to find out; no other goes through.
    Probing { since: Instant, error: CallError },
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
    tenant: &'a str,
    /// Whether the call is the one that finds out: for the tenant, and for everybody.
    probes: [bool; 2],
}

impl Breaker {
    pub(super) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            table: Mutex::default(),
        }
    }

    /// The leave to make a call for a tenant, or the error for which there is none.
    pub(super) fn admit<'a>(&'a self, tenant: &'a str) -> Result<Permit<'a>, CallError> {
        let mut table = self.table();
        let states = [table.of(tenant), table.everybody];
        let [own, everybody] = states.map(State::admitted);
        let (own, everybody) = (own?, everybody?);
        let probes = [&own, &everybody].map(|admitted| matches!(admitted, State::Probing { .. }));
        table.set(tenant, own);
        table.everybody = everybody;
        Ok(Permit {
            breaker: self,
            tenant,
            probes,
        })
    }

    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.table().tenants.len()
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn verdict(&self, error: Option<CallError>) -> Verdict {
        let Some(error) = error.filter(|error| error.is_transient()) else {
            return Verdict::Works;
        };
        match (error.retry_after(), error) {
            (Some(wait), _) if wait > self.policy.longest_retry_after => {
                Verdict::Away(wait.min(LONGEST_REST), error)
            }
            (_, CallError::RateLimited(_)) => Verdict::Neither,
            _ => Verdict::Fails(error),
        }
    }

    /// What the call shows to everybody, and what to its tenant alone.
    fn finish(&self, tenant: &str, probes: [bool; 2], verdict: Verdict) {
        let mut table = self.table();
        if matches!(verdict, Verdict::Works) {
            table.answered = Some(Instant::now());
        }
        let shared = match verdict {
            Verdict::Away(_, CallError::RateLimited(_)) | Verdict::Works => verdict,
            // Whether the key is good for calls again: it is.
            _ => Verdict::Neither,
        };
        let own = match verdict {
            Verdict::Away(_, CallError::RateLimited(_)) => Verdict::Neither,
            _ => verdict,
        };
        let failures = if table.is_suspect(tenant) {
            1
        } else {
            self.policy.failures
        };
        table.everybody = self.next(table.everybody, shared, probes[1], failures);
        let next = self.next(table.of(tenant), own, probes[0], failures);
        table.set(tenant, next);
    }

    /// The state after a verdict; so many `failures` in a row open it.
    fn next(&self, state: State, verdict: Verdict, probe: bool, failures: u32) -> State {
        match (verdict, state) {
            (Verdict::Works, _) => State::default(),
            (Verdict::Away(rest, error), _) => State::open(rest, error),
            (Verdict::Neither, State::Probing { .. }) if probe => State::default(),
            (Verdict::Fails(_), State::Closed { failures: before }) if before + 1 < failures => {
                State::Closed {
                    failures: before + 1,
                }
            }
            (Verdict::Fails(error), State::Closed { .. }) => State::open(self.policy.rest, error),
            (Verdict::Fails(error), State::Probing { .. }) if probe => {
                State::open(self.policy.rest, error)
            }
            _ => state,
        }
    }
}

impl Table {
    fn of(&self, tenant: &str) -> State {
        self.tenants.get(tenant).copied().unwrap_or_default()
    }

    fn set(&mut self, tenant: &str, state: State) {
        if matches!(state, State::Closed { failures: 0 }) {
            self.tenants.remove(tenant);
        } else if let Some(known) = self.tenants.get_mut(tenant) {
            *known = state;
        } else if self.has_room() {
            self.tenants.insert(tenant.to_owned(), state);
        }
    }

    /// Whether one more tenant can be remembered, where need be instead of those whose rest is over.
    fn has_room(&mut self) -> bool {
        if self.tenants.len() >= TENANTS {
            let now = Instant::now();
            self.tenants.retain(|_, state| match state {
                State::Closed { .. } => false,
                State::Open { until, .. } => *until > now,
                State::Probing { .. } => true,
            });
        }
        self.tenants.len() < TENANTS
    }

    /// Whether other tenants have left the model alone, and nobody has had an answer since.
    fn is_suspect(&self, tenant: &str) -> bool {
        let others = self.tenants.iter().filter(|(other, _)| *other != tenant);
        let left_alone = others.filter(|(_, state)| match state {
            State::Closed { .. } => false,
            State::Open { since, .. } | State::Probing { since, .. } => {
                self.answered.is_none_or(|answered| answered < *since)
            }
        });
        left_alone.take(OTHERS).count() == OTHERS
    }
}

impl Default for State {
    fn default() -> Self {
        Self::Closed { failures: 0 }
    }
}

impl State {
    fn open(rest: Duration, error: CallError) -> Self {
        let since = Instant::now();
        Self::Open {
            since,
            until: since + rest,
            error,
        }
    }

    /// The state once a call is let through; the error for which none is.
    fn admitted(self) -> Result<Self, CallError> {
        match self {
            Self::Closed { .. } => Ok(self),
            Self::Open {
                since,
                until,
                error,
            } if until <= Instant::now() => Ok(Self::Probing { since, error }),
            Self::Open { error, .. } | Self::Probing { error, .. } => Err(error),
        }
    }

    /// The state once the call that was to find out has gone without an answer.
    fn unanswered(self) -> Self {
        match self {
            Self::Probing { since, error } => Self::Open {
                since,
                until: Instant::now(),
                error,
            },
            state => state,
        }
    }
}

impl Permit<'_> {
    /// Says how the call went: with its error, or with a reply.
    pub(super) fn finish(mut self, error: Option<CallError>) {
        let probes = std::mem::take(&mut self.probes);
        self.breaker
            .finish(self.tenant, probes, self.breaker.verdict(error));
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        let [own, everybody] = self.probes;
        if !own && !everybody {
            return;
        }
        let mut table = self.breaker.table();
        if own {
            let state = table.of(self.tenant).unanswered();
            table.set(self.tenant, state);
        }
        if everybody {
            table.everybody = table.everybody.unanswered();
        }
    }
}
