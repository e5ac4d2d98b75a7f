//! A copy of a SQLite database, taken while others read and write it.

use std::{
    ffi::OsString,
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use sqlx::{Connection, SqliteConnection, sqlite::SqliteConnectOptions};

use crate::{Store, StoreError};

/// How long the copy waits for its turn to read.
const BUSY_WAIT: Duration = Duration::from_secs(10);

// PostgreSQL has neither of these two, so they are in no list of statements that both databases prepare.
const TABLES_OF_OURS: &str = "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '_sqlx_migrations'";
const COPY_INTO: &str = "VACUUM INTO ?1";

/// What stands behind the name of a copy that is not finished.
const PARTIAL: &str = ".partial";

impl Store {
    /// Copies the SQLite database at `url` to the new file `to` and returns the copy's size in bytes.
    ///
    /// The copy is one moment of the database, whole: whoever writes meanwhile neither waits nor is seen in part. It is
    /// readable by its owner only and safe on its disk before it has its name, so whatever is called `to` is complete.
    /// The tables are copied as they are: nothing is made and nothing brought up to date, because a copy before an upgrade
    /// must be of what was there.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for PostgreSQL and for a database that is not ours,
    /// [`StoreError::Conflict`] when there is a file in the way, [`StoreError::Unavailable`] when the database cannot be
    /// read, [`StoreError::Backup`] when the copy cannot be written.
    pub async fn backup(url: &str, to: &Path) -> Result<u64, StoreError> {
        let mut source = open(url).await?;
        // Absolute, so that SQLite cannot take it for a URI.
        let to = &std::path::absolute(to).map_err(unwritten)?;
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::Conflict("the file to write exists already: give another name, or remove it"));
        }
        let partial = Partial::create(to)?;
        let path = partial.path.to_str().ok_or(StoreError::Invalid("the name of the file to write is not UTF-8"))?;
        let copied = sqlx::query(COPY_INTO).bind(path).execute(&mut source).await;
        copied.map_err(|error| StoreError::Backup(error.into()))?;
        source.close().await?;
        partial.finish(to).map_err(unwritten)
    }
}

/// Opens a database that is there, without changing it.
async fn open(url: &str) -> Result<SqliteConnection, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => {}
        Some("postgres" | "postgresql") => {
            return Err(StoreError::Invalid(
                "this copies SQLite only: back up PostgreSQL with pg_dump, or with a base backup and archived \
                 write-ahead logs",
            ));
        }
        _ => return Err(StoreError::Url),
    }
    let options = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Url)?.busy_timeout(BUSY_WAIT);
    let mut source = SqliteConnection::connect_with(&options).await.map_err(StoreError::Unavailable)?;
    let tables: i64 = sqlx::query_scalar(TABLES_OF_OURS).fetch_one(&mut source).await?;
    if tables == 0 {
        return Err(StoreError::Invalid("the database is not one of Hunkwise"));
    }
    Ok(source)
}

/// A copy that is being written. Under its first name it is removed in the end.
struct Partial {
    path: PathBuf,
    renamed: bool,
}

impl Partial {
    /// SQLite writes into a file that is there if it is empty, so the file can be private before it has content.
    fn create(to: &Path) -> Result<Self, StoreError> {
        let mut path = OsString::from(to);
        path.push(PARTIAL);
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(_) => Ok(Self { path, renamed: false }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(StoreError::Conflict(
                "a file of that name with .partial behind it exists already: another backup is writing it, or one was \
                 cut off and left it; remove it if none runs",
            )),
            Err(error) => Err(unwritten(error)),
        }
    }

    /// SQLite leaves it to the system when a copy reaches the disk, and a machine can lose its power before.
    fn finish(mut self, to: &Path) -> io::Result<u64> {
        let file = File::open(&self.path)?;
        file.sync_all()?;
        self.name(to)?;
        if let Some(folder) = to.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(file.metadata()?.len())
    }

    /// A second name, unlike a new one, never replaces a file that came meanwhile; but not every file system has those.
    /// The first name goes when this is dropped.
    fn name(&mut self, to: &Path) -> io::Result<()> {
        match std::fs::hard_link(&self.path, to) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                std::fs::rename(&self.path, to)?;
                self.renamed = true;
                Ok(())
            }
            named => named,
        }
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.renamed {
            let _left_behind = std::fs::remove_file(&self.path);
        }
    }
}

fn unwritten(error: io::Error) -> StoreError {
    StoreError::Backup(error.into())
}
