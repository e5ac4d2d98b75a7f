//! Long computations between two awaits: the other tasks of the runtime's thread continue on another one meanwhile.

use std::future::{Future, poll_fn};
use std::pin::pin;

use tokio::runtime::{Handle, RuntimeFlavor};

/// Runs a future whose polls may be long computations. Dropping it drops the work, as with any future.
///
/// A runtime of one thread has nowhere else to go, so there it is polled as it is.
pub(crate) async fn offload<T>(work: impl Future<Output = T>) -> T {
    let threads = Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
    let mut work = pin!(work);
    poll_fn(|cx| if threads { tokio::task::block_in_place(|| work.as_mut().poll(cx)) } else { work.as_mut().poll(cx) })
        .await
}
