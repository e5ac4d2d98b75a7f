//! What a request gives back when it ends: quota, tokens and slots that the database keeps. Who holds one of them drops it,
//! however the request ends, and that begins a task here. The answer waits for those of its request, so that whoever has it
//! finds all given back; and the end of the service waits for those of all requests.

use std::mem;
use std::sync::{Mutex, PoisonError};

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tokio_util::task::TaskTracker;
use tracing::Instrument;

/// What one request has to give back. A clone is of the same request.
#[derive(Debug, Clone, Default)]
pub(crate) struct GiveBacks {
    of_request: TaskTracker,
    of_server: TaskTracker,
}

impl GiveBacks {
    /// Those of a new request to a server that has so many under way.
    pub(crate) fn of(of_server: &TaskTracker) -> Self {
        Self { of_request: TaskTracker::new(), of_server: of_server.clone() }
    }

    /// Begins a task that is finished even if nobody waits for the request any more. `None` outside of the runtime.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        task: impl Future<Output = T> + Send + 'static,
    ) -> Option<JoinHandle<T>> {
        let runtime = Handle::try_current().ok()?;
        let task = self.of_server.track_future(self.of_request.track_future(task));
        Some(runtime.spawn(task.in_current_span()))
    }

    /// Waits until all is given back. Nobody may hold anything any more.
    pub(crate) async fn done(&self) {
        self.of_request.close();
        self.of_request.wait().await;
    }
}

/// Who waits for what a request gives back: its answer, unless that is a stream, which then does.
#[derive(Debug, Default)]
pub(crate) struct Awaited(Mutex<GiveBacks>);

impl Awaited {
    /// The answer waits for these.
    pub(crate) fn by_answer(give_backs: GiveBacks) -> Self {
        Self(Mutex::new(give_backs))
    }

    /// Those that the answer waits for.
    pub(crate) fn get(&self) -> GiveBacks {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes them over: whoever does waits for them in the answer's place.
    pub(crate) fn take_over(&self) -> GiveBacks {
        mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
