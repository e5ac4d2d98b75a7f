//! The only module that reads the machine's clocks.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use store::UnixMillis;

/// A clock. Clones share it.
#[derive(Clone)]
pub struct Clock {
    wall: Arc<dyn Fn() -> UnixMillis + Send + Sync>,
    monotonic: Arc<dyn Fn() -> Duration + Send + Sync>,
}

impl Clock {
    /// The system clocks.
    #[must_use]
    pub fn system() -> Self {
        let start = Instant::now();
        Self {
            wall: Arc::new(wall),
            monotonic: Arc::new(move || start.elapsed()),
        }
    }

    /// A clock controlled by `wall`, for tests. Rate limits follow it, too.
    #[must_use]
    pub fn new(wall: impl Fn() -> UnixMillis + Send + Sync + 'static) -> Self {
        let wall: Arc<dyn Fn() -> UnixMillis + Send + Sync> = Arc::new(wall);
        let same = Arc::clone(&wall);
        Self {
            wall,
            monotonic: Arc::new(move || {
                Duration::from_millis(u64::try_from(same().0).unwrap_or_default())
            }),
        }
    }

    /// The wall-clock time.
    #[must_use]
    pub fn now(&self) -> UnixMillis {
        (self.wall)()
    }

    /// Time since an arbitrary moment. It is monotonic.
    #[must_use]
    pub fn monotonic(&self) -> Duration {
        (self.monotonic)()
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock").finish_non_exhaustive()
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the time"
)]
fn wall() -> UnixMillis {
    let since_epoch = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    UnixMillis(0) + since_epoch
}
