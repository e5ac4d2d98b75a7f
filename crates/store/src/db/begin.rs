//! How a database is opened for writing.

use std::{future::Future, time::Duration};

/// How long opening a database waits for it, and a caller for a free connection to SQLite.
pub(super) const WAIT: Duration = Duration::from_secs(10);

/// Begins a transaction that will write.
///
/// SQLite must be told at once: a transaction that reads first and writes later fails when another one wrote between.
pub(crate) trait BeginWrite {
    type Transaction;

    fn begin_write(&self) -> impl Future<Output = Result<Self::Transaction, sqlx::Error>> + Send;
}
