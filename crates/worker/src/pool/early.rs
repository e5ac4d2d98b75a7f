//! A worker that starts before the pool is configured.

use std::io;
use std::time::Duration;

use tokio_util::task::AbortOnDropHandle;

use super::process::{Worker, WorkerCommand};

/// A worker that starts in the background. Dropping it ends the worker.
#[derive(Debug)]
pub struct EarlyWorker(AbortOnDropHandle<io::Result<Worker>>);

impl EarlyWorker {
    /// Starts a worker, which must be ready within `time_limit`. Must be called on a tokio runtime.
    pub fn start(command: WorkerCommand, time_limit: Duration) -> Self {
        let start = async move {
            let mut worker = Worker::spawn(&command)?;
            worker.greeting(&command.first, time_limit).await?;
            Ok(worker)
        };
        Self(AbortOnDropHandle::new(tokio::spawn(start)))
    }

    /// The worker; `None` if it could not be started. The job that needs it then starts another one, and reports why
    /// that fails.
    pub(super) async fn ready(self) -> Option<Worker> {
        self.0.await.ok()?.ok()
    }
}
