//! Online backup of a SQLite database, while others read and write it.

use async_recursion::async_recursion as boxed;
use std::{
    ffi::OsString,
    fs::{File, OpenOptions},
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use sqlx::{Connection, SqliteConnection};

use crate::db::connect_to_existing;
use crate::error::StoreError;
use crate::store::Store;

/// How long the copy waits for a read lock.
const BUSY_WAIT: Duration = Duration::from_secs(10);

// PostgreSQL does not support it, so it is not in the lists of statements that are prepared on both databases.
const COPY_INTO: &str = "VACUUM INTO ?1";

/// The suffix of an unfinished copy's name.
const PARTIAL: &str = ".partial";

impl Store {
    /// Copies the SQLite database at `url` to the new file `to` and returns the copy's size in bytes.
    ///
    /// The copy is a consistent snapshot and does not block writers. It is readable by its owner only and is synced to
    /// disk before it gets its final name, so a file named `to` is always complete. The tables are copied as they are,
    /// without migration: a backup before an upgrade must hold the state before that upgrade.
    ///
    /// # Errors
    /// [`StoreError::Invalid`] for PostgreSQL, [`StoreError::NoFile`] and [`StoreError::NoTables`] when there is no such
    /// database, [`StoreError::Conflict`] when `to` exists, [`StoreError::Unavailable`] when the database cannot be read, [`StoreError::Backup`] when the copy
    /// cannot be written.
    #[boxed]
    pub async fn backup(url: &str, to: &Path) -> Result<u64, StoreError> {
        let mut source = open(url).await?;
        // An absolute path, so that SQLite does not parse it as a URI.
        let to = &std::path::absolute(to).map_err(unwritten)?;
        if to.symlink_metadata().is_ok() {
            return Err(StoreError::Conflict(
                "the target file already exists: choose another name or remove it",
            ));
        }
        let partial = Partial::create(to)?;
        let path = partial.path.to_str().ok_or(StoreError::Invalid(
            "the path of the target file is not valid UTF-8",
        ))?;
        let copied = sqlx::query(COPY_INTO).bind(path).execute(&mut source).await;
        copied.map_err(|error| StoreError::Backup(error.into()))?;
        source.close().await?;
        partial.finish(to).map_err(unwritten)
    }
}

/// Opens an existing database read-only in effect: nothing is created or migrated.
async fn open(url: &str) -> Result<SqliteConnection, StoreError> {
    match url.split_once(':').map(|(scheme, _)| scheme) {
        Some("sqlite") => {}
        Some("postgres" | "postgresql") => {
            return Err(StoreError::Invalid(
                "only SQLite databases can be copied: back up PostgreSQL with pg_dump, or with a base backup and archived \
                 write-ahead logs",
            ));
        }
        _ => return Err(StoreError::Url),
    }
    connect_to_existing(url, BUSY_WAIT).await
}

/// An unfinished copy. Its temporary name is removed when it is dropped.
struct Partial {
    path: PathBuf,
    renamed: bool,
}

impl Partial {
    /// SQLite accepts an existing file if it is empty, so the file can get its mode before it has content.
    fn create(to: &Path) -> Result<Self, StoreError> {
        let mut path = OsString::from(to);
        path.push(PARTIAL);
        let path = PathBuf::from(path);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        match options.open(&path) {
            Ok(_) => Ok(Self {
                path,
                renamed: false,
            }),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Err(StoreError::Conflict(
                    "the file with the suffix .partial exists already: another backup is writing it, or an earlier one was \
                 interrupted; remove it if no backup is running",
                ))
            }
            Err(error) => Err(unwritten(error)),
        }
    }

    /// SQLite does not sync the copy, so a power failure could still lose it.
    fn finish(mut self, to: &Path) -> io::Result<u64> {
        let file = File::open(&self.path)?;
        file.sync_all()?;
        self.name(to)?;
        if let Some(folder) = to.parent() {
            File::open(folder)?.sync_all()?;
        }
        Ok(file.metadata()?.len())
    }

    /// A hard link, unlike a rename, never replaces a file that has appeared meanwhile, but not every file system supports
    /// hard links. The temporary name is removed on drop.
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
