//! A fresh database for each case, and helpers for all cases.

use std::{path::PathBuf, time::Duration};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use store::{NewEntitlement, Organization, Store, UnixMillis, User};
use tempfile::TempDir;

use crate::postgres_cluster::Cluster;

/// The time at which the cases begin: 2026-11-20T12:00:00Z.
pub(crate) const NOW: UnixMillis = UnixMillis(1_795_176_000_000);

pub(crate) const PRODUCT: &str = "diff-review";

pub(crate) fn later(millis: u64) -> UnixMillis {
    NOW + Duration::from_millis(millis)
}

enum Home {
    Folder(TempDir),
    Cluster(&'static Cluster, String),
}

/// A database that no other case uses.
pub(crate) struct Fresh {
    pub(crate) store: Store,
    pub(crate) url: String,
    home: Home,
}

impl Fresh {
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("store.db").display());
        Self {
            store: Store::open(&url).await.unwrap(),
            url,
            home: Home::Folder(folder),
        }
    }

    /// `None`, with a visible notice, where PostgreSQL is not installed.
    pub(crate) async fn postgres() -> Option<Self> {
        let cluster = Cluster::get().await?;
        let name = cluster.create_database().await;
        let url = cluster.url(&name);
        Some(Self {
            store: Store::open(&url).await.unwrap(),
            url,
            home: Home::Cluster(cluster, name),
        })
    }

    /// As [`Fresh::postgres`], but `statements` run on the database before it is migrated.
    pub(crate) async fn postgres_after(statements: &str) -> Option<Self> {
        let cluster = Cluster::get().await?;
        let name = cluster.create_empty_database().await;
        let url = cluster.url(&name);
        let mut connection = PgConnection::connect(&url).await.unwrap();
        connection
            .execute(AssertSqlSafe(statements.to_owned()))
            .await
            .unwrap();
        connection.close().await.unwrap();
        Some(Self {
            store: Store::open(&url).await.unwrap(),
            url,
            home: Home::Cluster(cluster, name),
        })
    }

    /// The URL of another database without tables; the number distinguishes it from the case's others.
    pub(crate) async fn empty(&self, number: u32) -> String {
        match &self.home {
            Home::Folder(folder) => format!(
                "sqlite://{}",
                folder.path().join(format!("{number}.db")).display()
            ),
            Home::Cluster(cluster, _) => cluster.url(&cluster.create_empty_database().await),
        }
    }

    /// Runs a statement that bypasses the store.
    pub(crate) async fn execute(&self, statement: &str) {
        let statement = AssertSqlSafe(statement.to_owned());
        let done = match &self.home {
            Home::Folder(_) => SqliteConnection::connect(&self.url)
                .await
                .unwrap()
                .execute(statement)
                .await
                .map(drop),
            Home::Cluster(..) => PgConnection::connect(&self.url)
                .await
                .unwrap()
                .execute(statement)
                .await
                .map(drop),
        };
        done.unwrap();
    }

    /// Runs a statement on another SQLite file.
    pub(crate) async fn execute_at(&self, url: &str, statement: &str) {
        let statement = AssertSqlSafe(statement.to_owned());
        SqliteConnection::connect(url)
            .await
            .unwrap()
            .execute(statement)
            .await
            .unwrap();
    }

    /// The folder of the database's files.
    pub(crate) fn folder(&self) -> PathBuf {
        match &self.home {
            Home::Folder(folder) => folder.path().to_owned(),
            Home::Cluster(cluster, _) => cluster.folder(),
        }
    }

    pub(crate) async fn discard(self) {
        self.store.close().await;
        if let Home::Cluster(cluster, name) = &self.home {
            cluster.drop_database(name).await;
        }
    }

    pub(crate) async fn user(&self, name: &str) -> User {
        self.store.insert_user(name, false, NOW).await.unwrap()
    }

    pub(crate) async fn organization(&self, name: &str, owner: &User) -> Organization {
        self.store
            .insert_organization(name, owner.id, None, NOW)
            .await
            .unwrap()
    }
}

/// An entitlement to [`PRODUCT`].
pub(crate) fn grant(
    expires_at: Option<UnixMillis>,
    monthly_review_limit: Option<i64>,
) -> NewEntitlement {
    NewEntitlement {
        product: PRODUCT.to_owned(),
        expires_at,
        monthly_review_limit,
    }
}

/// Runs `count` tasks concurrently and returns their results.
pub(crate) async fn at_once<T, F>(count: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let start = std::sync::Arc::new(tokio::sync::Barrier::new(count));
    let spawn = |future: F| {
        let start = start.clone();
        tokio::spawn(async move {
            start.wait().await;
            future.await
        })
    };
    let tasks: Vec<_> = (0..count).map(|index| spawn(task(index))).collect();
    let mut given = Vec::with_capacity(count);
    for task in tasks {
        given.push(task.await.unwrap());
    }
    given
}
