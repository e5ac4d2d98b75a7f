//! A SQLite file: made for its owner alone, opened by many at once, and watched, because SQLite itself goes on writing
//! into a file that was deleted, where nobody will ever find it.

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
use crate::{StoreError, latency::Operation};

const CONNECTIONS: u32 = 8;
/// How long a writer waits for its turn; less than a caller waits for a connection, so that it is told the real reason.
const BUSY_WAIT: Duration = Duration::from_secs(5);
const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";
/// Changes nothing, and is refused where nothing may be changed.
const WRITE_NOTHING: &str = "DELETE FROM _sqlx_migrations WHERE version < 0";
/// Between two attempts to connect to a file that is being made.
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// A pool that is used only while its file is the one at its path. A clone shares its connections.
#[derive(Clone, Debug)]
pub(crate) struct WatchedPool {
    pool: SqlitePool,
    /// None for a database in memory.
    file: Option<OpenFile>,
    timing: Timing,
}

/// One connection holds a database in memory, which would vanish with it: it is kept, and alone.
pub(super) async fn open(url: &str) -> Result<WatchedPool, StoreError> {
    let options = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    let (pool, file) = if in_memory {
        let pool = SqlitePoolOptions::new().max_connections(1).min_connections(1).idle_timeout(None).max_lifetime(None);
        (pool, None)
    } else {
        let unavailable = |error: io::Error| StoreError::Unavailable(error.into());
        create_private_file(options.get_filename()).map_err(unavailable)?;
        let file = OpenFile::at(options.get_filename()).map_err(unavailable)?;
        // A connection to a file does not get lost between two statements.
        (SqlitePoolOptions::new().max_connections(CONNECTIONS).test_before_acquire(false), Some(file))
    };
    // Full: what was acknowledged is on the disk, and a power cut does not bring back a token that was revoked.
    let options = options
        .create_if_missing(in_memory)
        .foreign_keys(true)
        .busy_timeout(BUSY_WAIT)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full);
    let pool = connect(pool.acquire_timeout(WAIT), options).await?;
    let pool = WatchedPool { pool, file, timing: Timing::new(None) };
    migrate(&pool).await?;
    Ok(pool)
}

/// Of two who turn a new file to write-ahead logging at once, SQLite sends one away and does not let it wait, because
/// both hold a lock that the other wants. Who is sent away comes again.
async fn connect(pool: SqlitePoolOptions, options: SqliteConnectOptions) -> Result<SqlitePool, Error> {
    let connect = async {
        loop {
            match pool.clone().connect_with(options.clone()).await {
                Err(error) if is_busy(&error) => tokio::time::sleep(BUSY_PAUSE).await,
                result => return result,
            }
        }
    };
    tokio::time::timeout(WAIT, connect).await.unwrap_or(Err(Error::PoolTimedOut))
}

/// SQLITE_BUSY is result code 5; what stands above its low byte says more about where.
fn is_busy(error: &Error) -> bool {
    let code = error.as_database_error().and_then(|database| database.code());
    code.and_then(|code| code.parse::<i32>().ok()).is_some_and(|code| code & 0xff == 5)
}

/// The file holds names and digests, so it is readable by its owner only from its first moment; SQLite gives its
/// side files the same mode. A file that is there keeps the mode that its owner chose.
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

/// Which file it was that was opened.
#[derive(Debug, Clone)]
struct OpenFile {
    path: PathBuf,
    identity: Option<(u64, u64)>,
}

impl OpenFile {
    fn at(path: &Path) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), identity: identity(path)? })
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

/// Elsewhere a file that is open cannot be deleted.
#[cfg(not(unix))]
fn identity(_path: &Path) -> io::Result<Option<(u64, u64)>> {
    Ok(None)
}

/// sqlx takes no lock on SQLite, so two processes could both find a table missing and both make it. The writing
/// transaction around the whole is the lock. It writes in any case, because SQLite would let a file that is read-only pass.
async fn migrate(pool: &WatchedPool) -> Result<(), StoreError> {
    let mut transaction = pool.begin_with(BEGIN_WRITE).await?;
    migrations::run(migrations::migrator(), &mut *transaction).await?;
    transaction.execute(WRITE_NOTHING).await?;
    Ok(transaction.commit().await?)
}

impl WatchedPool {
    /// The pool; none of its connections may be used, and no new one made, when the file is not there any more. SQLite
    /// would write into a file that nobody will find, or mix what another file has with the log of this one.
    fn checked(&self) -> Result<&SqlitePool, Error> {
        if self.is_there() {
            return Ok(&self.pool);
        }
        let gone = "the file of the database was deleted or replaced while it was open; start the service again";
        Err(Error::Io(io::Error::other(gone)))
    }

    pub(super) fn timing(&self) -> &Timing {
        &self.timing
    }

    async fn connection(&self) -> Result<PoolConnection<Sqlite>, Error> {
        self.timing.run(Operation::Connection, self.checked()?.acquire()).await
    }

    /// Whether the file is still the one that was opened.
    pub(crate) fn is_there(&self) -> bool {
        self.file.as_ref().is_none_or(OpenFile::is_there)
    }
}

/// For what is no statement: closing, counting connections.
impl Deref for WatchedPool {
    type Target = SqlitePool;

    fn deref(&self) -> &SqlitePool {
        &self.pool
    }
}

impl BeginWrite for WatchedPool {
    type Transaction = TimedTransaction<Sqlite>;

    async fn begin_write(&self) -> Result<TimedTransaction<Sqlite>, Error> {
        TimedTransaction::begin(self.connection().await?, Some(BEGIN_WRITE), self.timing.clone()).await
    }
}

timed_executor!('c, &'c WatchedPool, Sqlite);
timed_executor!('c, &'c mut TimedConnection<Sqlite>, Sqlite);
