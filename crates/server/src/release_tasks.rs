//! The tasks that return what a request reserved in the database: quota, tokens and slots. Dropping a reservation
//! starts such a task, however the request ends. The response waits for the tasks of its request, so that a client
//! that has it finds everything released; the shutdown of the service waits for all tasks.

use std::mem;
use std::sync::{Mutex, PoisonError};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

/// The release tasks of one request. A clone belongs to the same request.
#[derive(Debug, Clone, Default)]
pub(crate) struct ReleaseTasks {
    of_request: TaskTracker,
    of_server: TaskTracker,
}

impl ReleaseTasks {
    /// The release tasks of a new request.
    pub(crate) fn of(of_server: &TaskTracker) -> Self {
        Self {
            of_request: TaskTracker::new(),
            of_server: of_server.clone(),
        }
    }

    /// Starts a task that completes even if the request is dropped. `None` outside of the runtime.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<JoinHandle<T>> {
        let runtime = Handle::try_current().ok()?;
        let task = self
            .of_server
            .track_future(self.of_request.track_future(task));
        Some(runtime.spawn(task.in_current_span()))
    }

    /// Waits until everything is released. All reservations must have been dropped.
    pub(crate) async fn done(&self) {
        self.of_request.close();
        self.of_request.wait().await;
    }
}

/// Waits for the release tasks of a request, before its response or its stream ends.
#[derive(Debug, Default)]
pub(crate) struct Awaited(Mutex<ReleaseTasks>);

impl Awaited {
    /// Makes the response wait for these tasks.
    pub(crate) fn by_answer(release_tasks: ReleaseTasks) -> Self {
        Self(Mutex::new(release_tasks))
    }

    /// The tasks that the response waits for.
    pub(crate) fn get(&self) -> ReleaseTasks {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Transfers the tasks to the caller, which waits for them instead of the response.
    pub(crate) fn take_over(&self) -> ReleaseTasks {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
