//! The database of a test's service: a SQLite file, or a database of this run's own PostgreSQL server.

#[path = "../../../../store/tests/conformance/postgres_cluster.rs"]
#[expect(
    dead_code,
    reason = "it is the cluster of the store's tests, of which these need a part"
)]
mod postgres_cluster;

use std::fs;
use std::mem::take;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use postgres_cluster::{Cluster, postgres_programs};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection, SqliteConnection};
use tempfile::TempDir;

/// If set to `postgres`, each test uses a PostgreSQL database.
pub(crate) const VARIABLE: &str = "HUNKWISE_TEST_DATABASE";

/// The databases of finished tests. Emptying one takes a fraction of the time of copying the template, which consists
/// of hundreds of files.
static SPARE: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Ends transactions that a test left open, and deletes every row, regardless of references.
const EMPTY: &str = "
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid();
SET session_replication_role = replica;
DO $$
DECLARE name text;
BEGIN
    FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> '_sqlx_migrations' LOOP
        EXECUTE format('DELETE FROM %I', name);
    END LOOP;
END $$";

/// A database that no other test uses at the same time.
pub(crate) enum Database {
    Sqlite(TempDir),
    Postgres(&'static Cluster, String),
}

impl Database {
    pub(crate) async fn create() -> Self {
        if !Self::is_postgres() {
            return Self::Sqlite(tempfile::tempdir().unwrap());
        }
        let cluster = Cluster::get()
            .await
            .expect("HUNKWISE_TEST_DATABASE is postgres, which is not installed");
        let spare = SPARE.lock().unwrap().pop();
        let name = match spare {
            Some(name) => emptied(cluster, name).await,
            None => cluster.create_database().await,
        };
        Self::Postgres(cluster, name)
    }

    /// Whether this run's tests use PostgreSQL.
    #[expect(
        clippy::disallowed_methods,
        reason = "the switch of the test run, which has no settings"
    )]
    pub(crate) fn is_postgres() -> bool {
        std::env::var(VARIABLE).is_ok_and(|value| value == "postgres")
    }

    /// Prints a notice if it is not installed.
    pub(crate) fn postgres_is_installed() -> bool {
        postgres_programs::installed().is_some()
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(folder) => {
                format!("sqlite://{}", folder.path().join("store.db").display())
            }
            Self::Postgres(cluster, name) => cluster.url(name),
        }
    }

    /// Removes the database from under the service: deletes the file, or drops the database and its connections.
    pub(crate) async fn lose(&mut self) {
        match self {
            Self::Sqlite(folder) => fs::remove_file(folder.path().join("store.db")).unwrap(),
            Self::Postgres(cluster, name) => cluster.drop_database(&take(name)).await,
        }
    }

    /// Ages the limits that replicas share. They follow PostgreSQL's own clock, which tests cannot set.
    pub(crate) async fn age_shared_limits(&self, by: Duration) {
        if let Self::Postgres(cluster, name) = self {
            execute(
                cluster,
                name,
                &format!(
                    "UPDATE request_buckets SET full_at = full_at - {}",
                    by.as_nanos()
                ),
            )
            .await;
        }
    }

    /// Executes a statement in parallel to the service.
    pub(crate) async fn execute(&self, statement: &str) {
        match self {
            Self::Sqlite(_) => {
                let mut connection = SqliteConnection::connect(&self.url()).await.unwrap();
                connection
                    .execute(AssertSqlSafe(statement.to_owned()))
                    .await
                    .unwrap();
            }
            Self::Postgres(cluster, name) => execute(cluster, name, statement).await,
        }
    }

    /// The whole contents: SQLite's files, or a dump of PostgreSQL's rows in which printable bytes are readable.
    pub(crate) fn contents(&self) -> Vec<u8> {
        match self {
            Self::Sqlite(folder) => fs::read_dir(folder.path())
                .unwrap()
                .flat_map(|entry| fs::read(entry.unwrap().path()).unwrap())
                .collect(),
            Self::Postgres(cluster, name) => {
                let mut dump = Command::new("pg_dump");
                let output = dump
                    .env("PGOPTIONS", "-c bytea_output=escape")
                    .arg(cluster.url(name))
                    .output()
                    .unwrap();
                assert!(
                    output.status.success(),
                    "{}",
                    String::from_utf8_lossy(&output.stderr)
                );
                output.stdout
            }
        }
    }
}

async fn emptied(cluster: &Cluster, name: String) -> String {
    execute(cluster, &name, EMPTY).await;
    name
}

async fn execute(cluster: &Cluster, name: &str, statement: &str) {
    let mut connection = PgConnection::connect(&cluster.url(name)).await.unwrap();
    connection
        .execute(AssertSqlSafe(statement.to_owned()))
        .await
        .unwrap();
}

impl Drop for Database {
    fn drop(&mut self) {
        match self {
            Self::Postgres(_, name) if !name.is_empty() => SPARE.lock().unwrap().push(take(name)),
            _ => {}
        }
    }
}
