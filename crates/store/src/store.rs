//! The open database.

use async_recursion::async_recursion as boxed;
use std::sync::Arc;

use crate::caps::Caps;
use crate::db::{Connections, Db, Missing};
use crate::error::StoreError;
use crate::latency::LatencyHistogram;

/// The default number of connections to a PostgreSQL server.
pub const CONNECTIONS: u32 = 16;

/// The open database. Clones share the connections.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) caps: Caps,
}

impl Store {
    /// Opens the database at `url`, creates it if needed and migrates its tables.
    ///
    /// `sqlite://PATH` is a file (created with mode 0600), `sqlite::memory:` a database that lives as long as the store,
    /// `postgres://USER@HOST/NAME` a server of version 14 or later.
    ///
    /// # Errors
    /// [`StoreError::Url`] for another scheme or a malformed URL, [`StoreError::Unavailable`] when the database cannot be
    /// reached, [`StoreError::Migration`] when its tables are newer than this program or cannot be migrated.
    #[boxed]
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, CONNECTIONS).await
    }

    /// Like [`Store::open`], with a limit on connections to a PostgreSQL server.
    ///
    /// # Errors
    /// As [`Store::open`].
    #[boxed]
    pub async fn open_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        Db::open(url, connections, Missing::Create)
            .await
            .map(Self::of)
    }

    /// Like [`Store::open`], but neither creates a database nor its tables.
    ///
    /// # Errors
    /// As [`Store::open`]; [`StoreError::NoFile`] and [`StoreError::NoTables`] when there is no such database.
    #[boxed]
    pub async fn open_existing(url: &str) -> Result<Self, StoreError> {
        Db::open(url, CONNECTIONS, Missing::Refuse)
            .await
            .map(Self::of)
    }

    fn of(db: Db) -> Self {
        Self {
            db,
            caps: Caps::default(),
        }
    }

    /// Replaces the default caps.
    #[must_use]
    pub fn with_caps(self, caps: Caps) -> Self {
        Self { caps, ..self }
    }

    /// Migrates the tables of the database at `url` and closes it.
    ///
    /// # Errors
    /// As [`Store::open`].
    #[boxed]
    pub async fn migrate(url: &str) -> Result<(), StoreError> {
        Self::open(url).await?.close().await;
        Ok(())
    }

    /// Checks that the database responds and accepts writes. It writes only if no other write has shown this lately.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it does not respond, [`StoreError::Unwritable`] when it cannot be written.
    #[boxed]
    pub async fn check(&self) -> Result<(), StoreError> {
        self.db.check().await
    }

    /// Checks that the database responds.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it does not.
    #[boxed]
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.db.ping().await
    }

    /// The current state of the connection pool.
    #[must_use]
    pub fn connections(&self) -> Connections {
        self.db.connections()
    }

    /// The latency counts so far.
    #[must_use]
    pub fn latency(&self) -> &Arc<LatencyHistogram> {
        self.db.latency()
    }

    /// Waits for running statements and closes all connections.
    #[boxed]
    pub async fn close(&self) {
        self.db.close().await;
    }
}
