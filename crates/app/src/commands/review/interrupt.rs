//! Ctrl-C while a review is under way.

use std::future::Future;

use crate::outcome::Error;

/// Does `work` until it is done or SIGINT arrives. The work is then dropped, which ends the workers that are busy with it.
///
/// # Errors
/// What the work gave, or that it was interrupted.
pub(in crate::commands) async fn or_interrupted<T>(
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    tokio::select! {
        result = work => result,
        Ok(()) = tokio::signal::ctrl_c() => Err(Error::interrupted()),
    }
}
