//! The tasks that return what a request reserved in the database: quota, tokens and slots. Dropping a reservation, however
//! the request ends, begins such a task. The answer waits for the tasks of its request, so that a client that has it
//! finds everything released; the shutdown of the service waits for those of all requests.

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
    /// Those of a new request to the server.
    pub(crate) fn of(of_server: &TaskTracker) -> Self {
        Self { of_request: TaskTracker::new(), of_server: of_server.clone() }
    }

    /// Begins a task that completes even if the request is dropped. `None` outside of the runtime.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<JoinHandle<T>> {
        let runtime = Handle::try_current().ok()?;
        let task = self.of_server.track_future(self.of_request.track_future(task));
        Some(runtime.spawn(task.in_current_span()))
    }

    /// Waits until everything is released. All reservations must have been dropped.
    pub(crate) async fn done(&self) {
        self.of_request.close();
        self.of_request.wait().await;
    }
}

/// Waits for the release tasks of a request: its answer does, or the stream that it answers with.
#[derive(Debug, Default)]
pub(crate) struct Awaited(Mutex<ReleaseTasks>);

impl Awaited {
    /// The answer waits for these.
    pub(crate) fn by_answer(release_tasks: ReleaseTasks) -> Self {
        Self(Mutex::new(release_tasks))
    }

    /// Those that the answer waits for.
    pub(crate) fn get(&self) -> ReleaseTasks {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes them over: the caller waits for them in place of the answer.
    pub(crate) fn take_over(&self) -> ReleaseTasks {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
