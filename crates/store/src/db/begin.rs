//! Beginning a write transaction.

use std::{future::Future, time::Duration};

/// The limit for opening a database, and for getting a free SQLite connection from the pool.
pub(super) const WAIT: Duration = Duration::from_secs(10);

/// Begins a write transaction.
///
/// SQLite must know from the start: a read transaction cannot be upgraded after another connection has written.
pub(crate) trait BeginWrite {
    type Transaction;

    fn begin_write(&self) -> impl Future<Output = Result<Self::Transaction, sqlx::Error>> + Send;
}
