//! A review in progress.

use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

/// A review in progress. Dropping it aborts the review.
pub(super) struct Running {
    pub(super) number: u64,
    /// The requests that wait for its result.
    pub(super) waiting: Vec<Value>,
    _task: AbortOnDropHandle<()>,
}

impl Running {
    /// Starts a review with this number; no request waits for it yet. Must be called on a tokio runtime.
    pub(super) fn start(number: u64, work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self {
            number,
            waiting: Vec::new(),
            _task: AbortOnDropHandle::new(tokio::spawn(work)),
        }
    }
}
