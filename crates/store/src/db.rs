//! The only module that handles the difference between the two databases.
//!
//! Each statement is one text for both. [`db!`] compiles a body once per pool, and [`rows!`] reads a row of either.
//! The differences are here: connecting, migrating safely and beginning a write transaction.

mod begin;
mod migrations;
mod missing;
mod postgres;
mod sqlite;
mod timed;
mod writes;

use std::sync::Arc;

use sqlx::{Error, Executor, SqlStr};

use crate::error::StoreError;
use crate::latency::LatencyHistogram;

pub(crate) use begin::BeginWrite;
pub(crate) use missing::Missing;
pub(crate) use postgres::TimeoutPool;
pub(crate) use sqlite::{WatchedPool, connect_to_existing};

statements! {
    PING = "SELECT 1";
    // It changes a value that nothing reads: a statement that changes nothing would not reach the disk.
    PROBE_WRITE = "UPDATE _sqlx_migrations SET execution_time = 1 - execution_time WHERE version = 1";
}

/// The connection pool's state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Connections {
    /// Connections in use.
    pub used: usize,
    /// Idle connections.
    pub idle: usize,
    /// The pool's size limit.
    pub max: usize,
}

/// The pool of one of the two databases.
#[derive(Clone, Debug)]
pub(crate) enum Db {
    Sqlite(WatchedPool),
    Postgres(TimeoutPool),
}

impl Db {
    pub(crate) async fn open(
        url: &str,
        connections: u32,
        missing: Missing,
    ) -> Result<Self, StoreError> {
        match url.split_once(':').map(|(scheme, _)| scheme) {
            Some("sqlite") => sqlite::open(url, missing).await.map(Self::Sqlite),
            Some("postgres" | "postgresql") => postgres::open(url, connections, missing)
                .await
                .map(Self::Postgres),
            _ => Err(StoreError::Url),
        }
    }

    pub(crate) async fn ping(&self) -> Result<(), StoreError> {
        db!(self, pool => { sqlx::query(PING).execute(pool).await?; });
        Ok(())
    }

    /// Writes only if the statements so far do not show whether the database accepts writes.
    pub(crate) async fn check(&self) -> Result<(), StoreError> {
        self.ping().await?;
        let writes = db!(self, pool => pool.timing().writes());
        writes
            .check(self.probe_write())
            .await
            .map_err(StoreError::Unwritable)
    }

    async fn probe_write(&self) -> Result<(), Error> {
        db!(self, pool => {
            let mut transaction = pool.begin_write().await?;
            sqlx::query(PROBE_WRITE).execute(&mut *transaction).await?;
            transaction.commit().await
        })
    }

    pub(crate) fn connections(&self) -> Connections {
        db!(self, pool => {
            let (open, idle) = (pool.size() as usize, pool.num_idle());
            Connections { used: open.saturating_sub(idle), idle, max: pool.options().get_max_connections() as usize }
        })
    }

    pub(crate) fn latency(&self) -> &Arc<LatencyHistogram> {
        db!(self, pool => pool.timing().latency())
    }

    pub(crate) async fn close(&self) {
        db!(self, pool => pool.close().await);
    }

    pub(crate) async fn prepare(&self, statement: &'static str) -> Result<(), StoreError> {
        db!(self, pool => { pool.prepare(SqlStr::from_static(statement)).await?; });
        Ok(())
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

/// Defines structs that can be read from a row of either database; field names are column names.
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

/// Defines a table's statements and collects them in `ALL`, so that a test can prepare each on both databases.
macro_rules! statements {
    ($($(#[$meta:meta])* $name:ident = $sql:literal;)+) => {
        $($(#[$meta])* pub(crate) const $name: &str = $sql;)+
        /// Every statement of this module.
        pub(crate) const ALL: &[&str] = &[$($name),+];
    };
}

/// Encodes and decodes a type of this crate as a column of type `$column`.
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
            fn decode(
                value: <D as sqlx::Database>::ValueRef<'r>,
            ) -> Result<Self, sqlx::error::BoxDynError> {
                let $stored = <$column as sqlx::Decode<'r, D>>::decode(value)?;
                let read: Result<Self, $crate::error::ParseError> = $from;
                Ok(read?)
            }
        }
    };
}

pub(crate) use {db, rows, statements, stored_as};
