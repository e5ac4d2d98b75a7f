//! Ctrl-C during a review.

use std::future::Future;

use crate::outcome::Error;

/// Awaits `work` until it completes or SIGINT arrives. Dropping the work stops its workers.
///
/// # Errors
/// The error of the work, or an interruption.
pub(crate) async fn or_interrupted<T>(
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        result = work => result,
        Ok(()) = tokio::signal::ctrl_c() => Err(Error::interrupted()),
    }
}
