//! The minimum rate of a body, measured in decoded bytes: bytes that decode to nothing do not count.

use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// The minimum average rate of a body. The default has no minimum.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BodyRate {
    pub(super) bytes_per_second: u64,
    /// Extra time in addition to that for the bytes.
    pub(super) grace: Duration,
}

/// The body arrived more slowly than allowed.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("The body arrived at less than {0} bytes per second on average.")]
pub(crate) struct BodyTooSlow(u64);

/// Measures the rate of a body.
pub(crate) struct BodyRateMeter {
    rate: BodyRate,
    /// The deadline for the next bytes; `None` without a minimum rate.
    deadline: Option<Instant>,
}

impl BodyRate {
    /// Starts measuring.
    pub(crate) fn begin(self) -> BodyRateMeter {
        let deadline = (self.bytes_per_second > 0).then(|| Instant::now() + self.grace);
        BodyRateMeter {
            rate: self,
            deadline,
        }
    }
}

impl BodyRateMeter {
    /// Waits for the next piece as long as the rate allows.
    ///
    /// # Errors
    /// The body is too slow.
    pub(crate) async fn keep<T>(&self, next: impl Future<Output = T>) -> Result<T, BodyTooSlow> {
        match self.deadline {
            Some(deadline) => timeout_at(deadline, next)
                .await
                .map_err(|_| BodyTooSlow(self.rate.bytes_per_second)),
            None => Ok(next.await),
        }
    }

    /// Records that this many bytes arrived, and that the body was kept waiting for this long.
    pub(crate) fn arrived(&mut self, bytes: usize, waited: Duration) {
        if let Some(deadline) = self.deadline.as_mut() {
            let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
            *deadline += waited
                + Duration::from_secs(1) * bytes
                    / u32::try_from(self.rate.bytes_per_second).unwrap_or(u32::MAX);
        }
    }
}
