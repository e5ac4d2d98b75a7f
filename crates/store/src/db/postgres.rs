//! A pool of connections to PostgreSQL that waits for nothing without end.
//!
//! The driver knows only how long it waits for a connection. A server that is stopped in the middle of a statement, or
//! that a network no longer leads to, answers nothing and closes nothing: so each statement has a time of its own, and a
//! connection that has not answered is not used again.

use std::{
    io::{Error as IoError, ErrorKind},
    ops::{Deref, DerefMut},
    str::FromStr,
    time::Duration,
};

use futures_util::{
    FutureExt, StreamExt,
    future::BoxFuture,
    stream::{self, BoxStream},
};
use sqlx::{
    Connection, Either, Error, Execute, Executor, PgConnection, PgPool, Postgres, SqlStr, Transaction,
    postgres::{PgConnectOptions, PgPoolOptions, PgQueryResult, PgRow, PgStatement, PgTypeInfo},
};
use tokio::time::{Instant, timeout, timeout_at};

use super::{BeginWrite, WAIT, migrations};
use crate::StoreError;

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
pub(crate) struct PatientPool(PgPool);

/// A transaction whose statements end in time.
#[derive(Debug)]
pub(crate) struct PatientTransaction(PatientConnection);

/// What the statements of a transaction go through.
#[derive(Debug)]
pub(crate) struct PatientConnection(Transaction<'static, Postgres>);

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
    Ok(PatientPool(pool.connect_lazy_with(options)))
}

/// CockroachDB speaks PostgreSQL's protocol, and says who it is only if asked.
async fn migrate(connection: &mut PgConnection) -> Result<(), StoreError> {
    let version: String = in_time(sqlx::query_scalar(SHOW_VERSION).fetch_one(&mut *connection)).await?;
    if !version.starts_with("CockroachDB") {
        return migrations::run(migrations::migrator(), connection).await;
    }
    in_time(connection.execute(SET_SERIALIZABLE)).await?;
    migrations::run(migrations::cockroachdb_migrator(), connection).await
}

async fn lives(connection: &mut PgConnection) -> bool {
    timeout(PING_WAIT, connection.ping()).await.is_ok_and(|pong| pong.is_ok())
}

/// For what is no statement: closing, counting connections.
impl Deref for PatientPool {
    type Target = PgPool;

    fn deref(&self) -> &PgPool {
        &self.0
    }
}

impl BeginWrite for PatientPool {
    type Transaction = PatientTransaction;

    async fn begin_write(&self) -> Result<PatientTransaction, Error> {
        let transaction = in_time(self.0.begin()).await?;
        Ok(PatientTransaction(PatientConnection(transaction)))
    }
}

impl PatientTransaction {
    pub(crate) async fn commit(self) -> Result<(), Error> {
        in_time(self.0.0.commit()).await
    }

    pub(crate) async fn rollback(self) -> Result<(), Error> {
        in_time(self.0.0.rollback()).await
    }
}

impl Deref for PatientTransaction {
    type Target = PatientConnection;

    fn deref(&self) -> &PatientConnection {
        &self.0
    }
}

impl DerefMut for PatientTransaction {
    fn deref_mut(&mut self) -> &mut PatientConnection {
        &mut self.0
    }
}

/// Hands each statement on, with a time in which it must end.
macro_rules! patient_executor {
    ($lifetime:lifetime, $executor:ty, |$this:ident| $inner:expr) => {
        impl<$lifetime> Executor<$lifetime> for $executor {
            type Database = Postgres;

            fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> BoxStream<'e, Result<Either<PgQueryResult, PgRow>, Error>>
            where
                $lifetime: 'e,
                E: 'q + Execute<'q, Postgres>,
            {
                let $this = self;
                all_in_time($inner.fetch_many(query))
            }

            fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<PgRow>, Error>>
            where
                $lifetime: 'e,
                E: 'q + Execute<'q, Postgres>,
            {
                let $this = self;
                in_time($inner.fetch_optional(query)).boxed()
            }

            fn prepare_with<'e>(
                self,
                sql: SqlStr,
                parameters: &'e [PgTypeInfo],
            ) -> BoxFuture<'e, Result<PgStatement, Error>>
            where
                $lifetime: 'e,
            {
                let $this = self;
                in_time($inner.prepare_with(sql, parameters)).boxed()
            }
        }
    };
}

patient_executor!('c, &'c PatientPool, |pool| (&pool.0));
patient_executor!('c, &'c mut PatientConnection, |connection| (&mut *connection.0));

async fn in_time<T>(work: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    timeout(STATEMENT_WAIT, work).await.unwrap_or_else(|_| Err(no_answer()))
}

fn all_in_time<'a, T: Send + 'a>(rows: BoxStream<'a, Result<T, Error>>) -> BoxStream<'a, Result<T, Error>> {
    let until = Instant::now() + STATEMENT_WAIT;
    let next = move |rows: Option<BoxStream<'a, Result<T, Error>>>| async move {
        let mut rows = rows?;
        match timeout_at(until, rows.next()).await {
            Ok(row) => row.map(|row| (row, Some(rows))),
            Err(_) => Some((Err(no_answer()), None)),
        }
    };
    stream::unfold(Some(rows), next).boxed()
}

fn no_answer() -> Error {
    Error::Io(IoError::new(ErrorKind::TimedOut, "the database server gave no answer within 5 seconds"))
}
