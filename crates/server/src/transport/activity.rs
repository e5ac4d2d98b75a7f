//! Whether a connection has a request in flight, and since when it has none.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// What one connection is doing. Clones speak of the same connection.
#[derive(Debug, Clone)]
pub(super) struct Activity(Arc<Mutex<Now>>);

#[derive(Debug)]
struct Now {
    in_flight: usize,
    since: Instant,
}

/// A request in flight, until it is dropped.
#[derive(Debug)]
pub(super) struct Busy(Activity);

impl Activity {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(Now { in_flight: 0, since: Instant::now() })))
    }

    /// A request begins.
    pub(super) fn begin(&self) -> Busy {
        self.change(|now| now.in_flight += 1);
        Busy(self.clone())
    }

    /// Completes when there was no request for so long.
    pub(super) async fn idle_for(&self, limit: Duration) {
        loop {
            let (idle, since) = self.change(|now| (now.in_flight == 0, now.since));
            let until = if idle { since + limit } else { Instant::now() + limit };
            if idle && until <= Instant::now() {
                // Whoever asks again waits as long again.
                self.change(|now| now.since = Instant::now());
                return;
            }
            sleep_until(until).await;
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Now) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.change(|now| {
            now.in_flight -= 1;
            now.since = Instant::now();
        });
    }
}
