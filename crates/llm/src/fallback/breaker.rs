//! A circuit breaker. A model that keeps failing is skipped for a while, and then probed by a single call.
//!
//! It counts consecutive transient failures. Any other answer, such as a refused key, shows that the provider is
//! reachable. A rate limit counts as neither: the provider works, and all calls of a review hit the limit together.
//!
//! A prompt can make a provider fail, time out or return garbage, and prompts come from tenants. Therefore **failures
//! only count for the tenant that caused them, and no tenant is refused because of another's**. Failures of others only
//! lower a tenant's threshold: if several tenants' breakers have opened and no call has succeeded since, one failure is
//! enough.
//!
//! The only state that affects all tenants is the provider's own statement about the shared key. If it sets a retry
//! delay longer than any call waits, all tenants skip it for that long, up to [`LONGEST_REST`].

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::retry_policy::RetryPolicy;
use crate::model::CallError;

/// Maximum time for which a provider's own retry delay is honoured.
const LONGEST_REST: Duration = Duration::from_secs(300);
/// Maximum number of tenants with failures that are remembered. Calls of further tenants are admitted as if there were
/// no failures.
const TENANTS: usize = 4_096;
/// Number of other failing tenants that indicates that the prompts are not the cause.
const OTHERS: usize = 2;

pub(super) struct Breaker {
    policy: RetryPolicy,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    everybody: State,
    /// Tenants with failures. All others are closed without failures.
    tenants: HashMap<String, State>,
    /// The time of the last success of any tenant.
    answered: Option<Instant>,
}

#[derive(Clone, Copy)]
enum State {
    /// All calls are admitted.
    Closed { failures: u32 },
    /// No call is admitted before this time. The error is the one that opened the breaker.
    Open {
        since: Instant,
        until: Instant,
        error: CallError,
    },
    /// One call is probing the model. No other call is admitted.
    Probing { since: Instant, error: CallError },
}

/// The result of a call, as far as it concerns the breaker.
#[derive(Clone, Copy)]
enum Verdict {
    Works,
    Neither,
    Fails(CallError),
    /// The provider requested this delay.
    Away(Duration, CallError),
}

/// Permission to make one call. If it is dropped without a result, as by a cancelled call, the next call becomes the
/// probe.
pub(super) struct Permit<'a> {
    breaker: &'a Breaker,
    tenant: &'a str,
    /// Whether the call is a probe: for its tenant, and for all tenants.
    probes: [bool; 2],
}

impl Breaker {
    pub(super) fn new(policy: RetryPolicy) -> Self {
        Self {
            policy,
            table: Mutex::default(),
        }
    }

    /// Permission to make a call for a tenant, or the error that blocks it.
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

    /// The effect of the call on all tenants, and on its own.
    fn finish(&self, tenant: &str, probes: [bool; 2], verdict: Verdict) {
        let mut table = self.table();
        if matches!(verdict, Verdict::Works) {
            table.answered = Some(Instant::now());
        }
        let shared = match verdict {
            Verdict::Away(_, CallError::RateLimited(_)) | Verdict::Works => verdict,
            // The shared state only tracks whether the key may make calls again. It may.
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

    /// The state after a verdict. This many consecutive `failures` open it.
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

    /// Whether one more tenant can be remembered, if necessary in place of tenants whose wait is over.
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

    /// Whether other tenants' breakers have opened and no call has succeeded since.
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

    /// The state after a call is admitted, or the error that blocks it.
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

    /// The state after a probe ended without a result.
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
    /// Records the result of the call: an error, or a reply.
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
