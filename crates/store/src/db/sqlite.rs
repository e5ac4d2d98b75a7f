//! A SQLite file: created with owner-only permissions, used by several connections, and checked before each use, because
//! SQLite keeps writing to a file that has been deleted.

use std::{
    io,
    ops::Deref,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use futures_util::FutureExt;
use sqlx::{
    Connection, Error, Executor, Sqlite, SqliteConnection, SqlitePool,
    pool::PoolConnection,
    sqlite::{
        SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
        SqliteTransactionManager,
    },
};
use sqlx_core::transaction::TransactionManager;

use super::{
    begin::{BeginWrite, WAIT},
    migrations,
    missing::Missing,
    timed::{TimedConnection, TimedTransaction, Timing, timed_executor},
};
use crate::error::StoreError;
use crate::latency::Operation;

const CONNECTIONS: u32 = 8;
/// How long a writer waits for the write lock: less than the pool's timeout, so that the error names the real cause.
const BUSY_WAIT: Duration = Duration::from_secs(5);
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";
/// It takes no lock before the first statement.
const BEGIN_READ: &str = "BEGIN DEFERRED";
const COUNT_MIGRATION_TABLES: &str =
    "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'";
/// A no-op write that fails on a read-only database.
const WRITE_NOTHING: &str = "DELETE FROM _sqlx_migrations WHERE version < 0";
/// Pause between two attempts to connect to a file that another process is creating.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// A pool that checks that its file is still the one at its path. Clones share the connections.
#[derive(Clone, Debug)]
pub(crate) struct WatchedPool {
    pool: SqlitePool,
    /// `None` for an in-memory database.
    file: Option<OpenFile>,
    timing: Timing,
}

/// An in-memory database lives as long as its connection, so its pool keeps exactly one.
pub(super) async fn open(url: &str, missing: Missing) -> Result<WatchedPool, StoreError> {
    let options = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    if missing == Missing::Refuse {
        let existing = connect_to_existing(url, BUSY_WAIT).await?;
        existing.close().await?;
    }
    let in_memory = is_in_memory(url);
    let (pool, file) = if in_memory {
        let pool = SqlitePoolOptions::new()
            .max_connections(1)
            .min_connections(1)
            .idle_timeout(None)
            .max_lifetime(None);
        (pool, None)
    } else {
        let unavailable = |error: io::Error| StoreError::Unavailable(error.into());
        create_private_file(options.get_filename()).map_err(unavailable)?;
        let file = OpenFile::at(options.get_filename()).map_err(unavailable)?;
        // A file connection does not break between two statements.
        (
            SqlitePoolOptions::new()
                .max_connections(CONNECTIONS)
                .test_before_acquire(false),
            Some(file),
        )
    };
    // FULL: a commit is durable once acknowledged, so a power failure does not restore a revoked token.
    let options = options
        .create_if_missing(in_memory)
        .foreign_keys(true)
        .busy_timeout(BUSY_WAIT)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let pool = pool
        .acquire_timeout(WAIT)
        .after_release(|connection, _| end_transaction(connection).boxed());
    let pool = connect(pool, options).await?;
    let pool = WatchedPool {
        pool,
        file,
        timing: Timing::new(None),
    };
    migrate(&pool).await?;
    Ok(pool)
}

fn is_in_memory(url: &str) -> bool {
    url.contains(":memory:") || url.contains("mode=memory")
}

/// A connection to a database that exists and has this program's tables. Nothing is written.
pub(crate) async fn connect_to_existing(
    url: &str,
    busy_wait: Duration,
) -> Result<SqliteConnection, StoreError> {
    let options = SqliteConnectOptions::from_str(url)
        .map_err(|_| StoreError::Url)?
        .create_if_missing(is_in_memory(url))
        .busy_timeout(busy_wait);
    let file = options.get_filename();
    if !is_in_memory(url) && !file.exists() {
        let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
        return Err(StoreError::NoFile(file));
    }
    let mut connection = SqliteConnection::connect_with(&options)
        .await
        .map_err(StoreError::Unavailable)?;
    let tables: i64 = sqlx::query_scalar(COUNT_MIGRATION_TABLES)
        .fetch_one(&mut connection)
        .await?;
    (tables > 0)
        .then_some(connection)
        .ok_or(StoreError::NoTables)
}

/// When two connections switch a new file to write-ahead logging simultaneously, SQLite returns `SQLITE_BUSY` to one of them
/// without waiting, to avoid a deadlock. That one retries.
async fn connect(
    pool: SqlitePoolOptions,
    options: SqliteConnectOptions,
) -> Result<SqlitePool, Error> {
    let connect = async {
        loop {
            match pool.clone().connect_with(options.clone()).await {
                Err(error) if is_busy(&error) => tokio::time::sleep(BUSY_PAUSE).await,
                result => return result,
            }
        }
    };
    tokio::time::timeout(WAIT, connect)
        .await
        .unwrap_or(Err(Error::PoolTimedOut))
}

/// SQLITE_BUSY is result code 5; the higher bytes of an extended code give details.
fn is_busy(error: &Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(|database| database.code());
    code.and_then(|code| code.parse::<i32>().ok())
        .is_some_and(|code| code & 0xff == 5)
}

/// Leaves a released connection without a transaction, or reports that it cannot be used again.
///
/// When the disk is full, an I/O error occurs or memory is short, SQLite ends the transaction itself. The driver's rollback then
/// fails, and it refuses to begin the next one, because it still counts one. So it gets an empty one to roll back. A new
/// connection could not take the place of this one: to open it, SQLite may have to write.
async fn end_transaction(connection: &mut SqliteConnection) -> Result<bool, Error> {
    if !connection.is_in_transaction() {
        return Ok(true);
    }
    connection.ping().await?; // The rollback of a dropped transaction is done first.
    if connection.is_in_transaction() {
        connection.execute(BEGIN_READ).await.ok(); // It fails if the transaction was not ended.
        SqliteTransactionManager::rollback(connection).await?;
    }
    Ok(!connection.is_in_transaction())
}

/// The file holds names and digests, so it is created readable by its owner only; SQLite gives its side files the same
/// mode. An existing file keeps its mode.
fn create_private_file(path: &Path) -> io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// The identity of the file that was opened.
#[derive(Debug, Clone)]
struct OpenFile {
    path: PathBuf,
    identity: Option<(u64, u64)>,
}

impl OpenFile {
    fn at(path: &Path) -> io::Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            identity: identity(path)?,
        })
    }

    fn is_there(&self) -> bool {
        identity(&self.path).is_ok_and(|identity| identity == self.identity)
    }
}

#[cfg(unix)]
fn identity(path: &Path) -> io::Result<Option<(u64, u64)>> {
    use std::os::unix::fs::MetadataExt as _;
    let metadata = std::fs::metadata(path)?;
    Ok(Some((metadata.dev(), metadata.ino())))
}

/// Other systems do not allow deleting an open file.
#[cfg(not(unix))]
fn identity(_path: &Path) -> io::Result<Option<(u64, u64)>> {
    Ok(None)
}

/// sqlx takes no lock on SQLite, so two processes could create the same table. The surrounding write transaction is the
/// lock. It always writes, because otherwise SQLite would accept a read-only file.
async fn migrate(pool: &WatchedPool) -> Result<(), StoreError> {
    let mut transaction = pool.begin_with(BEGIN_WRITE).await?;
    migrations::run(migrations::migrator(), &mut *transaction).await?;
    transaction.execute(WRITE_NOTHING).await?;
    Ok(transaction.commit().await?)
}

impl WatchedPool {
    /// The pool, or an error if the file has been deleted or replaced: SQLite would write to the deleted file, or mix its
    /// write-ahead log with the new file's content.
    fn checked(&self) -> Result<&SqlitePool, Error> {
        if self.is_there() {
            return Ok(&self.pool);
        }
        let gone =
            "the database file was deleted or replaced while it was open; restart the service";
        Err(Error::Io(io::Error::other(gone)))
    }

    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    async fn connection(&self) -> Result<PoolConnection<Sqlite>, Error> {
        self.timing
            .run(Operation::Connection, self.checked()?.acquire())
            .await
    }

    /// Whether the file at the path is still the one that was opened.
    pub(crate) fn is_there(&self) -> bool {
        self.file.as_ref().is_none_or(OpenFile::is_there)
    }
}

/// The underlying pool, for closing it and counting its connections.
impl Deref for WatchedPool {
    type Target = SqlitePool;

    fn deref(&self) -> &SqlitePool {
        &self.pool
    }
}

impl BeginWrite for WatchedPool {
    type Transaction = TimedTransaction<Sqlite>;

    async fn begin_write(&self) -> Result<TimedTransaction<Sqlite>, Error> {
        TimedTransaction::begin(
            self.connection().await?,
            Some(BEGIN_WRITE),
            self.timing.clone(),
        )
        .await
    }
}

timed_executor!('c, &'c WatchedPool, Sqlite);
timed_executor!('c, &'c mut TimedConnection<Sqlite>, Sqlite);
