//! A review under way.

use serde_json::Value;
use tokio_util::task::AbortOnDropHandle;

/// A review under way; dropped, it ends.
pub(super) struct Running {
    pub(super) number: u64,
    /// The requests that want its result.
    pub(super) waiting: Vec<Value>,
    _task: AbortOnDropHandle<()>,
}

impl Running {
    /// The review with this number, for which no request waits yet. Must be called on a tokio runtime.
    pub(super) fn start(number: u64, work: impl Future<Output = ()> + Send + 'static) -> Self {
        Self {
            number,
            waiting: Vec::new(),
            _task: AbortOnDropHandle::new(tokio::spawn(work)),
        }
    }
}
