//! The only module that knows there are two databases.
//!
//! Each statement is one text for both; [`db!`] compiles a body once for each pool, [`rows!`] reads a row of either.
//! What really differs stands here: how to connect, how to migrate safely and how to begin a writing transaction.

mod postgres;
mod sqlite;

use std::{borrow::Cow, future::Future, ops::DerefMut, pin::Pin, time::Duration};

use sqlx::{
    Acquire, Executor, SqlStr,
    migrate::{Migrate, Migration, MigrationType, Migrator},
};

use crate::{StoreError, answers::Answers};

pub(crate) use postgres::PatientPool;
pub(crate) use sqlite::WatchedPool;

statements! {
    PING = "SELECT 1";
    TOUCH = "SELECT id FROM users LIMIT 1";
}

/// Every migration: its number, its name and its text. An entry is never changed once released; a change is a new one.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "initial", include_str!("migrations/0001_initial.sql")),
    (2, "model tokens", include_str!("migrations/0002_model_tokens.sql")),
    (3, "review guidelines", include_str!("migrations/0003_review_guidelines.sql")),
    (4, "audit events", include_str!("migrations/0004_audit_events.sql")),
    (5, "organizations by status", include_str!("migrations/0005_organizations_by_status.sql")),
    (6, "shared limits", include_str!("migrations/0006_shared_limits.sql")),
    (7, "identities", include_str!("migrations/0007_identities.sql")),
    (8, "invitations", include_str!("migrations/0008_invitations.sql")),
];

/// How long opening a database waits for it, and a caller for a free connection to SQLite.
const WAIT: Duration = Duration::from_secs(10);

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
    Sqlite(WatchedPool),
    Postgres(PatientPool),
}

impl Db {
    pub(crate) async fn open(url: &str, connections: u32) -> Result<Self, StoreError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => sqlite::open(url).await.map(Self::Sqlite),
            Some("postgres" | "postgresql") => postgres::open(url, connections).await.map(Self::Postgres),
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

    /// What may be kept of what it answers.
    pub(crate) async fn answers(&self) -> Option<Answers> {
        match self {
            Self::Sqlite(pool) => Answers::of(pool).await,
            Self::Postgres(_) => None,
        }
    }

    pub(crate) async fn prepare(&self, statement: &'static str) -> Result<(), StoreError> {
        db!(self, pool => { pool.prepare(SqlStr::from_static(statement)).await?; });
        Ok(())
    }
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
    type Transaction;

    fn begin_write(&self) -> impl Future<Output = Result<Self::Transaction, sqlx::Error>> + Send;
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
