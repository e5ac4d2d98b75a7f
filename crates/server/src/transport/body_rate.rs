//! The least rate of a body, measured in what is decoded: bytes that decode to nothing are no progress.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// How fast a body must come on average. The default lets it take its time.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BodyRate {
    pub(super) bytes_per_second: u64,
    /// On top of the time that so many bytes may take.
    pub(super) grace: Duration,
}

/// The body arrived more slowly than allowed.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("The body arrived at less than {0} bytes per second on average.")]
pub(crate) struct BodyTooSlow(u64);

/// A body whose rate is watched.
pub(crate) struct BodyRateMeter {
    rate: BodyRate,
    /// When it must have had all of what arrived so far, and something more; none: whenever it likes.
    deadline: Option<Instant>,
}

impl BodyRate {
    /// A body begins.
    pub(crate) fn begin(self) -> BodyRateMeter {
        let deadline = (self.bytes_per_second > 0).then(|| Instant::now() + self.grace);
        BodyRateMeter { rate: self, deadline }
    }
}

impl BodyRateMeter {
    /// Waits for the next piece as long as the rate allows.
    ///
    /// # Errors
    /// The body is too slow.
    pub(crate) async fn keep<T>(&self, next: impl Future<Output = T>) -> Result<T, BodyTooSlow> {
        match self.deadline {
            Some(deadline) => timeout_at(deadline, next).await.map_err(|_| BodyTooSlow(self.rate.bytes_per_second)),
            None => Ok(next.await),
        }
    }

    /// So many bytes came; for so long the body was kept waiting.
    pub(crate) fn arrived(&mut self, bytes: usize, waited: Duration) {
        if let Some(deadline) = self.deadline.as_mut() {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            *deadline +=
                waited + Duration::from_secs(1) * bytes / u32::try_from(self.rate.bytes_per_second).unwrap_or(u32::MAX);
        }
    }
}
