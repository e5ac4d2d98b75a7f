//! A pool of connections to PostgreSQL that waits for nothing without end.
//!
//! The driver knows only how long it waits for a connection. A server that is stopped in the middle of a statement, or
//! that a network no longer leads to, answers nothing and closes nothing: so each statement has a time of its own, and a
//! connection that has not answered is not used again.

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
    timed::{TimedConnection, TimedTransaction, Timing, timed_executor},
};
use crate::{StoreError, latency::Operation};

/// How long a caller waits for a free connection, and a new one may take.
const CONNECTION_WAIT: Duration = Duration::from_secs(2);
/// What one statement may take, from our side and, a little less, from the server's.
const STATEMENT_WAIT: Duration = Duration::from_secs(5);
/// How statements are run, whatever the default of the server, the database or the role: under anything stricter than
/// `READ COMMITTED`, whoever waited for a row would be told to begin again (40001) instead of being served.
const SET_UP: &str = "SET statement_timeout = '4s'; SET default_transaction_isolation = 'read committed'";
const SHOW_VERSION: &str = "SELECT version()";
/// CockroachDB changes tables in transactions of no other isolation.
const SET_SERIALIZABLE: &str = "SET default_transaction_isolation = 'serializable'";
/// How long a connection may take for a sign of life.
const PING_WAIT: Duration = Duration::from_secs(1);
/// A connection that was used more recently is not asked for a sign of life.
const FRESH: Duration = Duration::from_millis(500);

/// A pool whose statements end in time. A clone shares its connections.
#[derive(Clone, Debug)]
pub(crate) struct PatientPool {
    pool: PgPool,
    timing: Timing,
}

/// The first connection stands alone: a pool would hide why it could not be made behind its own time-out. It also has
/// what time it takes for the tables.
pub(super) async fn open(url: &str, connections: u32) -> Result<PatientPool, StoreError> {
    let options = PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    let first = timeout(WAIT, PgConnection::connect_with(&options)).await;
    let mut first = first.unwrap_or(Err(Error::PoolTimedOut)).map_err(StoreError::Unavailable)?;
    migrate(&mut first).await?;
    first.close().await?;
    let pool = PgPoolOptions::new()
        .max_connections(connections.max(1))
        .acquire_timeout(CONNECTION_WAIT)
        .after_connect(|connection, _| connection.execute(SET_UP).map(|done| done.map(drop)).boxed())
        .test_before_acquire(false)
        .before_acquire(|connection, meta| async move { Ok(meta.idle_for < FRESH || lives(connection).await) }.boxed())
        // What a caller gave up on would otherwise be waited for by the pool, which has no time-out for that.
        .after_release(|connection, _| lives(connection).map(Ok).boxed());
    Ok(PatientPool { pool: pool.connect_lazy_with(options), timing: Timing::new(Some(STATEMENT_WAIT)) })
}

/// CockroachDB speaks PostgreSQL's protocol, and says who it is only if asked.
async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    let version: String = sqlx::query_scalar(SHOW_VERSION).fetch_one(&mut *connection).await?;
    if !version.starts_with("CockroachDB") {
        return migrations::run(migrations::migrator(), connection).await;
    }
    connection.execute(SET_SERIALIZABLE).await?;
    migrations::run(migrations::cockroachdb_migrator(), connection).await
}

async fn lives(connection: &mut PgConnection) -> bool {
    timeout(PING_WAIT, connection.ping()).await.is_ok_and(|pong| pong.is_ok())
}

/// For what is no statement: closing, counting connections.
impl Deref for PatientPool {
    type Target = PgPool;

    fn deref(&self) -> &PgPool {
        &self.pool
    }
}

impl PatientPool {
    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    async fn connection(&self) -> Result<PoolConnection<Postgres>, Error> {
        self.timing.run(Operation::Connection, self.pool.acquire()).await
    }
}

impl BeginWrite for PatientPool {
    type Transaction = TimedTransaction<Postgres>;

    async fn begin_write(&self) -> Result<TimedTransaction<Postgres>, Error> {
        TimedTransaction::begin(self.connection().await?, None, self.timing.clone()).await
    }
}

timed_executor!('c, &'c PatientPool, Postgres);
timed_executor!('c, &'c mut TimedConnection<Postgres>, Postgres);
