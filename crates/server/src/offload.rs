//! Long computations between two awaits. Meanwhile, the other tasks of the runtime's thread continue on another one.

use std::future::{Future, poll_fn};
use std::pin::pin;

use tokio::runtime::{Handle, RuntimeFlavor};

/// Runs a future whose polls may compute for long. Dropping it drops the work, as with any future.
///
/// A single-threaded runtime has no other thread, so there the future is polled directly.
pub(crate) async fn offload<T>(work: impl Future<Output = T>) -> T {
    let threads = Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread;
    let mut work = pin!(work);
    poll_fn(|cx| {
        if threads {
            tokio::task::block_in_place(|| work.as_mut().poll(cx))
        } else {
            work.as_mut().poll(cx)
        }
    })
    .await
}
