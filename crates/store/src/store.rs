//! The open database.

use std::sync::Arc;

use crate::caps::Caps;
use crate::db::{Connections, Db};
use crate::error::StoreError;
use crate::latency::LatencyHistogram;

/// Connections to a PostgreSQL server, unless told otherwise.
pub const CONNECTIONS: u32 = 16;

/// The open database. A clone shares its connections.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) caps: Caps,
}

impl Store {
    /// Opens the database at `url`, creates what is missing and brings its tables up to date.
    ///
    /// `sqlite://PATH` is a file (made with mode 0600 when it is not there), `sqlite::memory:` a database that lives
    /// as long as the store, `postgres://USER@HOST/NAME` a server of version 14 or later.
    ///
    /// # Errors
    /// [`StoreError::Url`] for another scheme or a malformed URL, [`StoreError::Unavailable`] when the database cannot
    /// be reached, [`StoreError::Migration`] when its tables are newer than this program or cannot be changed.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_with(url, CONNECTIONS).await
    }

    /// As [`Store::open`], with at most so many connections to a PostgreSQL server.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn open_with(url: &str, connections: u32) -> Result<Self, StoreError> {
        let db = Db::open(url, connections).await?;
        Ok(Self { db, caps: Caps::default() })
    }

    /// This store, with other caps than the usual ones.
    #[must_use]
    pub fn with_caps(self, caps: Caps) -> Self {
        Self { caps, ..self }
    }

    /// Brings the tables of the database at `url` up to date and closes it again.
    ///
    /// # Errors
    /// As [`Store::open`].
    pub async fn migrate(url: &str) -> Result<(), StoreError> {
        Self::open(url).await?.close().await;
        Ok(())
    }

    /// Asks the database for a sign of life.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it gives none.
    pub async fn ping(&self) -> Result<(), StoreError> {
        self.db.ping().await
    }

    /// Its connections at the moment.
    #[must_use]
    pub fn connections(&self) -> Connections {
        self.db.connections()
    }

    /// How long it was waited for so far.
    #[must_use]
    pub fn latency(&self) -> &Arc<LatencyHistogram> {
        self.db.latency()
    }

    /// Waits for the statements under way and closes every connection.
    pub async fn close(&self) {
        self.db.close().await;
    }
}
