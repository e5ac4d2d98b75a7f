//! A SQLite file: created with owner-only permissions, used by several connections, and checked before each use, because
//! SQLite keeps writing to a file that has been deleted.

use std::{
    io,
    ops::Deref,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use sqlx::{
    Error, Executor, Sqlite, SqlitePool,
    pool::PoolConnection,
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use super::{
    begin::{BeginWrite, WAIT},
    migrations,
    timed::{TimedConnection, TimedTransaction, Timing, timed_executor},
};
use crate::error::StoreError;
use crate::latency::Operation;

const CONNECTIONS: u32 = 8;
/// How long a writer waits for the write lock: less than the pool's timeout, so that the error names the real cause.
const BUSY_WAIT: Duration = Duration::from_secs(5);
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";
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
pub(super) async fn open(url: &str) -> Result<WatchedPool, StoreError> {
    let options = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
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
    let pool = connect(pool.acquire_timeout(WAIT), options).await?;
    let pool = WatchedPool {
        pool,
        file,
        timing: Timing::new(None),
    };
    migrate(&pool).await?;
    Ok(pool)
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
