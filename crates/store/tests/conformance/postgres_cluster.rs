//! A PostgreSQL cluster for this test run: in a temporary folder, reached through a socket in it, without a port.
//!
//! A small shell script owns the cluster and waits on a pipe that this process holds. When the process ends for any
//! reason, the pipe closes, and the script stops the cluster and removes the folder.

#[path = "postgres_programs.rs"]
pub(crate) mod postgres_programs;

use std::{
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::Child,
    sync::atomic::{AtomicUsize, Ordering},
};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use store::Store;
use tokio::sync::OnceCell;

const TEMPLATE: &str = "migrated";

/// `$1` is the folder of the programs, `$2` the cluster's. Nothing is synced to disk: the cluster lives for one test run.
const SCRIPT: &str = r#"
trap '' INT HUP
cd "$2" || exit 1
"$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >log 2>&1 &&
"$1/pg_ctl" -D "$2/data" -w -l "$2/log" -o "-k '$2' -c listen_addresses='' -c fsync=off -c full_page_writes=off \
    -c max_connections=600 -c shared_buffers=32MB -c autovacuum=off" start >/dev/null </dev/null &&
echo ready || { cat log; echo failed; }
read -r _
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1
cd / && rm -rf "$2"
"#;

pub(crate) struct Cluster {
    folder: PathBuf,
    databases: AtomicUsize,
    /// Holds the pipe; closing it stops the cluster.
    _script: Child,
}

impl Cluster {
    /// The cluster of this test run, started on first use.
    pub(crate) async fn get() -> Option<&'static Self> {
        static CLUSTER: OnceCell<Option<Cluster>> = OnceCell::const_new();
        CLUSTER.get_or_init(Self::start_if_installed).await.as_ref()
    }

    async fn start_if_installed() -> Option<Self> {
        let programs = postgres_programs::installed()?;
        let cluster = Self::start(&programs);
        cluster.admin(&format!("CREATE DATABASE {TEMPLATE}")).await;
        Store::migrate(&cluster.url(TEMPLATE)).await.unwrap();
        Some(cluster)
    }

    fn start(programs: &Path) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("store-pg-")
            .tempdir()
            .unwrap()
            .keep();
        let mut script = postgres_programs::run(SCRIPT, programs, &folder, &[]);
        let mut said = String::new();
        let mut lines = BufReader::new(script.stdout.take().unwrap());
        while !said.ends_with("ready\n")
            && lines.read_line(&mut said).unwrap() > 0
            && !said.ends_with("failed\n")
        {}
        assert!(
            said.ends_with("ready\n"),
            "PostgreSQL did not start: {said}"
        );
        Self {
            folder,
            databases: AtomicUsize::new(0),
            _script: script,
        }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!(
            "postgres://postgres@localhost/{database}?host={}",
            self.folder.display()
        )
    }

    /// A migrated database, cloned from a template: many times faster than running the migrations.
    pub(crate) async fn create_database(&self) -> String {
        self.create_from(TEMPLATE).await
    }

    pub(crate) async fn create_empty_database(&self) -> String {
        self.create_from("template0").await
    }

    pub(crate) async fn drop_database(&self, name: &str) {
        self.admin(&format!("DROP DATABASE {name} WITH (FORCE)"))
            .await;
    }

    async fn create_from(&self, template: &str) -> String {
        let name = format!("case_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        let mut connection = self.connect().await;
        // The file_copy strategy, no longer the default since version 15, halves the time including the first connection.
        let by_files = if connection.server_version_num() >= Some(150_000) {
            "STRATEGY file_copy"
        } else {
            ""
        };
        let statement = format!("CREATE DATABASE {name} TEMPLATE {template} {by_files}");
        connection.execute(AssertSqlSafe(statement)).await.unwrap();
        name
    }

    async fn admin(&self, statement: &str) {
        self.connect()
            .await
            .execute(AssertSqlSafe(statement.to_owned()))
            .await
            .unwrap();
    }

    async fn connect(&self) -> PgConnection {
        PgConnection::connect(&self.url("postgres")).await.unwrap()
    }
}
