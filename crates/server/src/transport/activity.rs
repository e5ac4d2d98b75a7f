//! Whether a connection has a request in flight, and since when it has none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// What one connection is doing. Clones speak of the same connection.
#[derive(Debug, Clone)]
pub(super) struct Activity {
    now: Arc<Mutex<Now>>,
    /// Told when it becomes idle.
    changed: Arc<Notify>,
}

#[derive(Debug)]
struct Now {
    in_flight: usize,
    since: Instant,
    /// When it last had one, or began.
    used: Instant,
    /// Answers of which the client could take something now.
    offered: usize,
    /// When it last took something of one, or the first of them was there.
    taken: Instant,
}

/// A request in flight, until it is dropped.
#[derive(Debug)]
pub(super) struct InFlight {
    activity: Activity,
    offers: bool,
}

impl Activity {
    /// Of a new connection. `changed` wakes those that wait for an idle one.
    pub(super) fn new(changed: Arc<Notify>) -> Self {
        let now = Instant::now();
        let now = Arc::new(Mutex::new(Now { in_flight: 0, since: now, used: now, offered: 0, taken: now }));
        Self { now, changed }
    }

    /// A request begins.
    pub(super) fn begin(&self) -> InFlight {
        self.change(|now| now.in_flight += 1);
        InFlight { activity: self.clone(), offers: false }
    }

    /// Since when there is no request; `None` while there is one.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        self.change(|now| (now.in_flight == 0).then_some(now.used))
    }

    /// Completes when there was no request for so long.
    pub(super) async fn idle_for(&self, limit: Duration) {
        loop {
            let (idle, since) = self.change(|now| (now.in_flight == 0, now.since));
            let until = if idle { since + limit } else { Instant::now() + limit };
            if idle && until <= Instant::now() {
                // The next request waits as long again.
                self.change(|now| now.since = Instant::now());
                return;
            }
            sleep_until(until).await;
        }
    }

    /// Completes when there was something to take for so long, and the client took nothing.
    pub(super) async fn stalled_for(&self, limit: Duration) {
        loop {
            let (offers, taken) = self.change(|now| (now.offered > 0, now.taken));
            let until = if offers { taken + limit } else { Instant::now() + limit };
            if until <= Instant::now() {
                return;
            }
            sleep_until(until).await;
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        change(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl InFlight {
    /// The answer has something for the client.
    pub(super) fn offer(&mut self) {
        if !std::mem::replace(&mut self.offers, true) {
            self.activity.change(|now| {
                now.offered += 1;
                if now.offered == 1 {
                    now.taken = Instant::now();
                }
            });
        }
    }

    /// The client took something.
    pub(super) fn taken(&mut self) {
        self.offer();
        self.activity.change(|now| now.taken = Instant::now());
    }

    /// The client took all that there is so far.
    pub(super) fn exhausted(&mut self) {
        if std::mem::take(&mut self.offers) {
            self.activity.change(|now| now.offered -= 1);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.exhausted();
        self.activity.change(|now| {
            now.in_flight -= 1;
            now.since = Instant::now();
            now.used = now.since;
        });
        self.activity.changed.notify_one();
    }
}
