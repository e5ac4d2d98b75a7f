//! The only module that knows there are two databases.
//!
//! Each statement is one text for both; [`db!`] compiles a body once for each pool, [`rows!`] reads a row of either.
//! What really differs stands here: how to connect, how to migrate safely and how to begin a writing transaction.

use std::{borrow::Cow, future::Future, ops::DerefMut, path::Path, pin::Pin, str::FromStr, time::Duration};

use sqlx::{
    Acquire, Connection, Executor, PgConnection, PgPool, Postgres, SqlStr, Sqlite, SqlitePool, Transaction,
    migrate::{Migrate, Migration, MigrationType, Migrator},
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};

use crate::StoreError;

statements! {
    PING = "SELECT 1";
}

/// Every migration: its number, its name and its text. An entry is never changed once released; a change is a new one.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "initial", include_str!("migrations/0001_initial.sql")),
    (2, "model tokens", include_str!("migrations/0002_model_tokens.sql")),
    (3, "review guidelines", include_str!("migrations/0003_review_guidelines.sql")),
];

/// How long a caller waits for a free connection, and a SQLite writer for its turn.
const WAIT: Duration = Duration::from_secs(10);
/// Between two attempts to connect to a SQLite file that is being made.
const BUSY_PAUSE: Duration = Duration::from_millis(10);
const SQLITE_CONNECTIONS: u32 = 8;
const POSTGRES_CONNECTIONS: u32 = 16;

/// The connections of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Those that do something.
    pub used: usize,
    /// Those that wait for something to do.
    pub idle: usize,
    /// As many as there may be.
    pub max: usize,
}

/// The pool of one of the two databases.
#[derive(Clone, Debug)]
pub(crate) enum Db {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

impl Db {
    pub(crate) async fn open(url: &str) -> Result<Self, StoreError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => open_sqlite(url).await.map(Self::Sqlite),
            Some("postgres" | "postgresql") => open_postgres(url).await.map(Self::Postgres),
            _ => Err(StoreError::Url),
        }
    }

    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        db!(self, pool => { sqlx::query(PING).execute(pool).await?; });
        Ok(())
    }

    pub(crate) fn connections(&self) -> Connections {
        db!(self, pool => {
            let (open, idle) = (pool.size() as usize, pool.num_idle());
            Connections { used: open.saturating_sub(idle), idle, max: pool.options().get_max_connections() as usize }
        })
    }

    pub(crate) async fn close(&self) {
        db!(self, pool => pool.close().await);
    }

    pub(crate) async fn prepare(&self, statement: &'static str) -> Result<(), StoreError> {
        db!(self, pool => { pool.acquire().await?.prepare(SqlStr::from_static(statement)).await?; });
        Ok(())
    }
}

/// One connection holds a database in memory, which would vanish with it: it is kept, and alone.
async fn open_sqlite(url: &str) -> Result<SqlitePool, StoreError> {
    let options = SqliteConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    let pool = if in_memory {
        SqlitePoolOptions::new().max_connections(1).min_connections(1).idle_timeout(None).max_lifetime(None)
    } else {
        create_private_file(options.get_filename()).map_err(|error| StoreError::Unavailable(error.into()))?;
        SqlitePoolOptions::new().max_connections(SQLITE_CONNECTIONS)
    };
    let options = options
        .create_if_missing(true)
        .foreign_keys(true)
        .busy_timeout(WAIT)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Normal);
    let pool = connect_sqlite(pool.acquire_timeout(WAIT), options).await?;
    migrate_sqlite(&pool).await?;
    Ok(pool)
}

/// Of two who turn a new file to write-ahead logging at once, SQLite sends one away and does not let it wait, because
/// both hold a lock that the other wants. Who is sent away comes again.
async fn connect_sqlite(pool: SqlitePoolOptions, options: SqliteConnectOptions) -> Result<SqlitePool, sqlx::Error> {
    let connect = async {
        loop {
            match pool.clone().connect_with(options.clone()).await {
                Err(error) if is_busy(&error) => tokio::time::sleep(BUSY_PAUSE).await,
                result => return result,
            }
        }
    };
    tokio::time::timeout(WAIT, connect).await.unwrap_or(Err(sqlx::Error::PoolTimedOut))
}

/// SQLITE_BUSY is result code 5; what stands above its low byte says more about where.
fn is_busy(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|database| database.code());
    code.and_then(|code| code.parse::<i32>().ok()).is_some_and(|code| code & 0xff == 5)
}

/// The file holds names and digests, so it is readable by its owner only from its first moment; SQLite gives its
/// side files the same mode. A file that is there keeps the mode that its owner chose.
fn create_private_file(path: &Path) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.open(path) {
        Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// sqlx takes no lock on SQLite, so two processes could both find a table missing and both make it. The writing
/// transaction around the whole is the lock.
async fn migrate_sqlite(pool: &SqlitePool) -> Result<(), StoreError> {
    let mut transaction = pool.begin_write().await?;
    run_migrations(&mut *transaction).await?;
    Ok(transaction.commit().await?)
}

/// The first connection stands alone: a pool would hide why it could not be made behind its own time-out.
async fn open_postgres(url: &str) -> Result<PgPool, StoreError> {
    let options = PgConnectOptions::from_str(url).map_err(|_| StoreError::Url)?;
    let first = tokio::time::timeout(WAIT, PgConnection::connect_with(&options)).await;
    let mut first = first.unwrap_or(Err(sqlx::Error::PoolTimedOut)).map_err(StoreError::Unavailable)?;
    run_migrations(&mut first).await?;
    first.close().await?;
    Ok(PgPoolOptions::new().max_connections(POSTGRES_CONNECTIONS).acquire_timeout(WAIT).connect_lazy_with(options))
}

/// Boxed, because the compiler cannot see otherwise that the future may go to another thread (rust-lang/rust#110338).
fn run_migrations<'a, A>(connection: A) -> Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>
where
    A: Acquire<'a> + Send + 'a,
    A::Connection: Send + DerefMut<Target: Migrate + Send>,
{
    let migration = |&(version, name, sql): &(i64, &'static str, &'static str)| {
        Migration::new(version, Cow::Borrowed(name), MigrationType::Simple, SqlStr::from_static(sql), false)
    };
    let migrator = Migrator::with_migrations(MIGRATIONS.iter().map(migration).collect());
    Box::pin(async move { migrator.run(connection).await.map_err(StoreError::Migration) })
}

/// Begins a transaction that will write.
///
/// SQLite must be told at once: a transaction that reads first and writes later fails when another one wrote between.
pub(crate) trait BeginWrite {
    type Database: sqlx::Database;

    fn begin_write(&self) -> impl Future<Output = Result<Transaction<'static, Self::Database>, sqlx::Error>> + Send;
}

impl BeginWrite for SqlitePool {
    type Database = Sqlite;

    async fn begin_write(&self) -> Result<Transaction<'static, Sqlite>, sqlx::Error> {
        self.begin_with("BEGIN IMMEDIATE").await
    }
}

impl BeginWrite for PgPool {
    type Database = Postgres;

    async fn begin_write(&self) -> Result<Transaction<'static, Postgres>, sqlx::Error> {
        self.begin().await
    }
}

/// Compiles one body for both databases.
macro_rules! db {
    ($db:expr, $pool:ident => $body:expr) => {
        match $db {
            $crate::db::Db::Sqlite($pool) => $body,
            $crate::db::Db::Postgres($pool) => $body,
        }
    };
}

/// Defines structs that can be read from a row of either database: a field is the column of its name.
macro_rules! rows {
    ($($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field_vis:vis $field:ident: $type:ty),+ $(,)?
    })+) => { $(
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* $field_vis $field: $type),+ }

        $crate::db::rows!(@row sqlx::sqlite::SqliteRow, $name { $($field)+ });
        $crate::db::rows!(@row sqlx::postgres::PgRow, $name { $($field)+ });
    )+ };
    (@row $row:ty, $name:ident { $($field:ident)+ }) => {
        impl<'r> sqlx::FromRow<'r, $row> for $name {
            fn from_row(row: &'r $row) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: sqlx::Row::try_get(row, stringify!($field))?),+ })
            }
        }
    };
}

/// Names the statements of a table and collects them in `ALL`, so that a test can prepare each on both databases.
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $sql:literal;)+) => {
        $($(#[$meta])* pub(crate) const $name: &str = $sql;)+
        /// Every statement of this module.
        pub(crate) const ALL: &[&str] = &[$($name),+];
    };
}

/// Makes a type of ours a column of the database's type `$column`.
macro_rules! stored_as {
    ($name:ty: $column:ty, |$value:ident| $to:expr, |$stored:ident| $from:expr) => {
        impl<D: sqlx::Database> sqlx::Type<D> for $name
        where
            $column: sqlx::Type<D>,
        {
            fn type_info() -> D::TypeInfo {
                <$column as sqlx::Type<D>>::type_info()
            }

            fn compatible(found: &D::TypeInfo) -> bool {
                <$column as sqlx::Type<D>>::compatible(found)
            }
        }

        impl<'q, D: sqlx::Database> sqlx::Encode<'q, D> for $name
        where
            $column: sqlx::Encode<'q, D>,
        {
            fn encode_by_ref(
                &self,
                buffer: &mut <D as sqlx::Database>::ArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                let $value = self;
                <$column as sqlx::Encode<'q, D>>::encode($to, buffer)
            }
        }

        impl<'r, D: sqlx::Database> sqlx::Decode<'r, D> for $name
        where
            $column: sqlx::Decode<'r, D>,
        {
            fn decode(value: <D as sqlx::Database>::ValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                let $stored = <$column as sqlx::Decode<'r, D>>::decode(value)?;
                let read: Result<Self, $crate::ParseError> = $from;
                Ok(read?)
            }
        }
    };
}

pub(crate) use {db, rows, statements, stored_as};
