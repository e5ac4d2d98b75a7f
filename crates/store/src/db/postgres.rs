//! A pool of PostgreSQL connections in which every wait has a timeout.
//!
//! The driver limits only the wait for a connection. A server that hangs in the middle of a statement, or that is cut
//! off by a network partition, neither answers nor closes the connection. So each statement has a timeout, and a
//! connection that exceeded it is discarded.

use std::{ops::Deref, str::FromStr, time::Duration};

use futures_util::FutureExt;
use sqlx::{
    Connection, Error, Executor, PgConnection, PgPool, Postgres,
    pool::PoolConnection,
    postgres::{PgConnectOptions, PgPoolOptions},
};
use tokio::time::timeout;

use super::{
    begin::{BeginWrite, WAIT},
    migrations,
    missing::Missing,
    timed::{TimedConnection, TimedTransaction, Timing, timed_executor},
};
use crate::error::StoreError;
use crate::latency::Operation;

/// Timeout for getting a connection from the pool and for opening a new one.
const CONNECTION_WAIT: Duration = Duration::from_secs(2);
/// Client-side timeout for one statement; the server's own `statement_timeout` is slightly shorter.
const STATEMENT_WAIT: Duration = Duration::from_secs(5);
/// Fixes the isolation level, whatever the default of the server, database or role: at a stricter level than
/// `READ COMMITTED`, waiting for a row lock would end in a serialization failure (40001).
const SET_UP: &str =
    "SET statement_timeout = '4s'; SET default_transaction_isolation = 'read committed'";
const COUNT_MIGRATION_TABLES: &str = "SELECT COUNT(*) FROM information_schema.tables \
    WHERE table_schema = ANY (current_schemas(false)) AND table_name = '_sqlx_migrations'";
const SHOW_VERSION: &str = "SELECT version()";
/// CockroachDB requires this isolation level for schema changes in a transaction.
const SET_SERIALIZABLE: &str = "SET default_transaction_isolation = 'serializable'";
/// Timeout for a ping.
const PING_WAIT: Duration = Duration::from_secs(1);
/// A connection that was used within this time is handed out without a ping.
const FRESH: Duration = Duration::from_millis(500);

/// A pool with a timeout for each statement. Clones share the connections.
#[derive(Clone, Debug)]
pub(crate) struct TimeoutPool {
    pool: PgPool,
    timing: Timing,
}

/// The first connection is opened outside the pool, because the pool would replace the cause of a failure by its own
/// timeout. Migrations run on it without a time limit.
pub(super) async fn open(
    url: &str,
    connections: u32,
    missing: Missing,
) -> Result<TimeoutPool, StoreError> {
    let options = PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    let first = timeout(WAIT, PgConnection::connect_with(&options)).await;
    let mut first = first
        .unwrap_or(Err(Error::PoolTimedOut))
        .map_err(StoreError::Unavailable)?;
    if missing == Missing::Refuse && count_migration_tables(&mut first).await? == 0 {
        return Err(StoreError::NoTables);
    }
    migrate(&mut first).await?;
    first.close().await?;
    let pool = PgPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(CONNECTION_WAIT)
        .after_connect(|connection, _| {
            connection
                .execute(SET_UP)
                .map(|done| done.map(drop))
                .boxed()
        })
        .test_before_acquire(false)
        .before_acquire(|connection, meta| {
            async move { Ok(meta.idle_for < FRESH || lives(connection).await) }.boxed()
        })
        // Cancelled statements leave their connection busy, and the pool would wait for it without a timeout.
        .after_release(|connection, _| lives(connection).map(Ok).boxed());
    Ok(TimeoutPool {
        pool: pool.connect_lazy_with(options),
        timing: Timing::new(Some(STATEMENT_WAIT)),
    })
}

async fn count_migration_tables(connection: &mut PgConnection) -> Result<i64, Error> {
    sqlx::query_scalar(COUNT_MIGRATION_TABLES)
        .fetch_one(connection)
        .await
}

/// CockroachDB speaks PostgreSQL's protocol and is recognized by its version string.
async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    let version: String = sqlx::query_scalar(SHOW_VERSION)
        .fetch_one(&mut *connection)
        .await?;
    if !version.starts_with("CockroachDB") {
        return migrations::run(migrations::migrator(), connection).await;
    }
    connection.execute(SET_SERIALIZABLE).await?;
    migrations::run(migrations::cockroachdb_migrator(), connection).await
}

async fn lives(connection: &mut PgConnection) -> bool {
    timeout(PING_WAIT, connection.ping())
        .await
        .is_ok_and(|pong| pong.is_ok())
}

/// The underlying pool, for closing it and counting its connections.
impl Deref for TimeoutPool {
    type Target = PgPool;

    fn deref(&self) -> &PgPool {
        &self.pool
    }
}

impl TimeoutPool {
    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    async fn connection(&self) -> Result<PoolConnection<Postgres>, Error> {
        self.timing
            .run(Operation::Connection, self.pool.acquire())
            .await
    }
}

impl BeginWrite for TimeoutPool {
    type Transaction = TimedTransaction<Postgres>;

    async fn begin_write(&self) -> Result<TimedTransaction<Postgres>, Error> {
        TimedTransaction::begin(self.connection().await?, None, self.timing.clone()).await
    }
}

timed_executor!('c, &'c TimeoutPool, Postgres);
timed_executor!('c, &'c mut TimedConnection<Postgres>, Postgres);
