//! Statements with a timeout, counted in the latency histogram.

use std::{
    io::{Error as IoError, ErrorKind},
    ops::{Deref, DerefMut},
    sync::Arc,
    time::Duration,
};

use sqlx::{
    Database, Error, Execute, SqlStr, Transaction, error::BoxDynError, pool::PoolConnection,
};
use tokio::time::timeout;

use super::writes::LastWrite;
use crate::latency::{LatencyHistogram, Operation, Running};

/// The timeout and the latency counts of a database's statements. Clones share the counts.
#[derive(Clone, Debug)]
pub(crate) struct Timing {
    latency: Arc<LatencyHistogram>,
    writes: Arc<LastWrite>,
    /// Timeout of one statement, for drivers that have none.
    most: Option<Duration>,
}

impl Timing {
    pub(super) fn new(most: Option<Duration>) -> Self {
        Self {
            latency: Arc::default(),
            writes: Arc::new(LastWrite::now()),
            most,
        }
    }

    pub(super) fn latency(&self) -> &Arc<LatencyHistogram> {
        &self.latency
    }

    pub(super) fn writes(&self) -> &LastWrite {
        &self.writes
    }

    /// Runs a future with the timeout, counts it and notes whether a write succeeded.
    pub(super) async fn run<T>(
        &self,
        operation: Operation,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let running = self.latency.begin(operation);
        let result = self.in_time(work).await;
        running.end(result.is_ok());
        self.writes.note(operation, result.as_ref().err());
        result
    }

    /// Runs a future with the timeout, without counting it.
    pub(super) async fn in_time<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        match self.most {
            Some(most) => timeout(most, work)
                .await
                .unwrap_or_else(|_| Err(no_answer(most))),
            None => work.await,
        }
    }
}

fn no_answer(within: Duration) -> Error {
    let message = format!(
        "the database server did not answer within {} seconds",
        within.as_secs()
    );
    Error::Io(IoError::new(ErrorKind::TimedOut, message))
}

/// A transaction whose statements are timed.
#[derive(Debug)]
pub(crate) struct TimedTransaction<DB: Database>(TimedConnection<DB>);

/// The connection of a transaction, which times and counts statements.
#[derive(Debug)]
pub(crate) struct TimedConnection<DB: Database> {
    transaction: Transaction<'static, DB>,
    timing: Timing,
    running: Running,
}

impl<DB: Database> TimedTransaction<DB> {
    /// Begins a transaction with the given statement or with the database's default.
    pub(super) async fn begin(
        connection: PoolConnection<DB>,
        statement: Option<&'static str>,
        timing: Timing,
    ) -> Result<Self, Error> {
        let transaction = Transaction::begin(connection, statement.map(SqlStr::from_static));
        let transaction = timing.run(Operation::Begin, transaction).await?;
        let running = timing.latency.begin(Operation::Transaction);
        Ok(Self(TimedConnection {
            transaction,
            timing,
            running,
        }))
    }

    pub(crate) async fn commit(self) -> Result<(), Error> {
        let TimedConnection {
            transaction,
            timing,
            running,
        } = self.0;
        timing.run(Operation::Commit, transaction.commit()).await?;
        running.end(true);
        Ok(())
    }

    pub(crate) async fn rollback(self) -> Result<(), Error> {
        let TimedConnection {
            transaction,
            timing,
            running: _running,
        } = self.0;
        timing
            .run(Operation::Rollback, transaction.rollback())
            .await
    }
}

impl<DB: Database> Deref for TimedTransaction<DB> {
    type Target = TimedConnection<DB>;

    fn deref(&self) -> &TimedConnection<DB> {
        &self.0
    }
}

impl<DB: Database> DerefMut for TimedTransaction<DB> {
    fn deref_mut(&mut self) -> &mut TimedConnection<DB> {
        &mut self.0
    }
}

impl<DB: Database> TimedConnection<DB> {
    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    /// Asynchronous like the method of the pools, which may have to wait.
    pub(super) fn connection(
        &mut self,
    ) -> impl Future<Output = Result<&mut DB::Connection, Error>> + Send {
        std::future::ready(Ok(&mut *self.transaction))
    }
}

/// A statement together with its SQL text.
pub(super) struct Inspected<DB: Database> {
    sql: SqlStr,
    arguments: Option<Result<Option<DB::Arguments>, BoxDynError>>,
    persistent: bool,
}

impl<DB: Database> Inspected<DB> {
    /// Statements prepared by hand would be lost here; this crate has none.
    pub(super) fn of<'q>(mut query: impl Execute<'q, DB>) -> (Operation, Self) {
        let (arguments, persistent) = (Some(query.take_arguments()), query.persistent());
        let sql = query.sql();
        (
            Operation::of(sql.as_str()),
            Self {
                sql,
                arguments,
                persistent,
            },
        )
    }
}

impl<DB: Database> Execute<'_, DB> for Inspected<DB> {
    fn sql(self) -> SqlStr {
        self.sql
    }

    fn statement(&self) -> Option<&DB::Statement> {
        None
    }

    fn take_arguments(&mut self) -> Result<Option<DB::Arguments>, BoxDynError> {
        self.arguments.take().unwrap_or(Ok(None))
    }

    fn persistent(&self) -> bool {
        self.persistent
    }
}

/// Implements `Executor` by forwarding each statement to a connection. Results are at most one page, so they are
/// collected.
macro_rules! timed_executor {
    ($lifetime:lifetime, $executor:ty, $database:ty) => {
        impl<$lifetime> sqlx::Executor<$lifetime> for $executor {
            type Database = $database;

            fn fetch_many<'e, 'q: 'e, E>(
                self,
                query: E,
            ) -> futures_util::stream::BoxStream<
                'e,
                Result<
                    sqlx::Either<
                        <$database as sqlx::Database>::QueryResult,
                        <$database as sqlx::Database>::Row,
                    >,
                    sqlx::Error,
                >,
            >
            where
                $lifetime: 'e,
                E: 'q + sqlx::Execute<'q, $database>,
            {
                use futures_util::{StreamExt, TryStreamExt, stream};
                let all = async move {
                    let (operation, query) = $crate::db::timed::Inspected::of(query);
                    let timing = self.timing().clone();
                    timing
                        .run(
                            operation,
                            self.connection()
                                .await?
                                .fetch_many(query)
                                .try_collect::<Vec<_>>(),
                        )
                        .await
                };
                stream::once(all)
                    .map_ok(|all| stream::iter(all).map(Ok))
                    .try_flatten()
                    .boxed()
            }

            fn fetch_optional<'e, 'q: 'e, E>(
                self,
                query: E,
            ) -> futures_util::future::BoxFuture<
                'e,
                Result<Option<<$database as sqlx::Database>::Row>, sqlx::Error>,
            >
            where
                $lifetime: 'e,
                E: 'q + sqlx::Execute<'q, $database>,
            {
                Box::pin(async move {
                    let (operation, query) = $crate::db::timed::Inspected::of(query);
                    let timing = self.timing().clone();
                    timing
                        .run(operation, self.connection().await?.fetch_optional(query))
                        .await
                })
            }

            fn prepare_with<'e>(
                self,
                sql: sqlx::SqlStr,
                parameters: &'e [<$database as sqlx::Database>::TypeInfo],
            ) -> futures_util::future::BoxFuture<
                'e,
                Result<<$database as sqlx::Database>::Statement, sqlx::Error>,
            >
            where
                $lifetime: 'e,
            {
                Box::pin(async move {
                    let timing = self.timing().clone();
                    timing
                        .in_time(self.connection().await?.prepare_with(sql, parameters))
                        .await
                })
            }
        }
    };
}

pub(super) use timed_executor;
