//! Whether a connection has a request in flight, and how long it has been idle.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// The activity of one connection. Clones refer to the same connection.
#[derive(Debug, Clone)]
pub(super) struct Activity {
    now: Arc<Mutex<Now>>,
    /// Notified when the connection becomes idle.
    changed: Arc<Notify>,
}

#[derive(Debug)]
struct Now {
    in_flight: usize,
    since: Instant,
    /// When the last request ended, or the connection was opened.
    used: Instant,
    /// Number of responses with data for the client.
    offered: usize,
    /// When the client last read some of it, or the first of it became available.
    taken: Instant,
}

/// A request in flight, until it is dropped.
#[derive(Debug)]
pub(super) struct InFlight {
    activity: Activity,
    offers: bool,
}

impl Activity {
    /// The activity of a new connection. `changed` wakes waiters for an idle connection.
    pub(super) fn new(changed: Arc<Notify>) -> Self {
        let now = Instant::now();
        let now = Arc::new(Mutex::new(Now {
            in_flight: 0,
            since: now,
            used: now,
            offered: 0,
            taken: now,
        }));
        Self { now, changed }
    }

    /// Records the start of a request.
    pub(super) fn begin(&self) -> InFlight {
        self.change(|now| now.in_flight += 1);
        InFlight {
            activity: self.clone(),
            offers: false,
        }
    }

    /// When the connection became idle; `None` while there is a request.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        self.change(|now| (now.in_flight == 0).then_some(now.used))
    }

    /// Completes after the connection was idle for this long.
    pub(super) async fn idle_for(&self, limit: Duration) {
        loop {
            let (idle, since) = self.change(|now| (now.in_flight == 0, now.since));
            let until = if idle {
                since + limit
            } else {
                Instant::now() + limit
            };
            if idle && until <= Instant::now() {
                // A later call waits for the full time again.
                self.change(|now| now.since = Instant::now());
                return;
            }
            sleep_until(until).await;
        }
    }

    /// Completes after data was available for this long and the client read none of it.
    pub(super) async fn stalled_for(&self, limit: Duration) {
        loop {
            let (offers, taken) = self.change(|now| (now.offered > 0, now.taken));
            let until = if offers {
                taken + limit
            } else {
                Instant::now() + limit
            };
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
    /// The response has data for the client.
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

    /// The client read some data.
    pub(super) fn taken(&mut self) {
        self.offer();
        self.activity.change(|now| now.taken = Instant::now());
    }

    /// The client read all available data.
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
