//! A PostgreSQL cluster of this test run alone: in a temporary folder, reached by a socket in it, without a port.
//!
//! A small shell script owns the cluster and waits on a pipe that this process holds. However the process ends, the
//! pipe closes, and the script stops the cluster and removes the folder.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicUsize, Ordering},
};

use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use store::Store;
use tokio::sync::OnceCell;

const TEMPLATE: &str = "migrated";

/// `$1` is the folder of the programs, `$2` the cluster's. Nothing is forced to the disk: it lives for one test run.
const SCRIPT: &str = r#"
trap '' INT HUP
cd "$2" || exit 1
"$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >log 2>&1 &&
"$1/pg_ctl" -D "$2/data" -w -l "$2/log" -o "-k '$2' -c listen_addresses='' -c fsync=off -c full_page_writes=off \
    -c max_connections=600 -c shared_buffers=32MB" start >/dev/null </dev/null &&
echo ready || { cat log; echo failed; }
read -r _
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1
cd / && rm -rf "$2"
"#;

pub(crate) struct Cluster {
    folder: PathBuf,
    databases: AtomicUsize,
    /// Holds the pipe whose end stops the cluster.
    _script: Child,
}

impl Cluster {
    /// The cluster of this test run, started when it is first asked for.
    pub(crate) async fn get() -> Option<&'static Self> {
        static CLUSTER: OnceCell<Option<Cluster>> = OnceCell::const_new();
        CLUSTER.get_or_init(Self::start_if_installed).await.as_ref()
    }

    async fn start_if_installed() -> Option<Self> {
        let Some(programs) = find_programs() else {
            assert!(!required(), "REQUIRE_POSTGRES is set and PostgreSQL is not installed");
            // Past the test runner's capture: a skipped case must not look like one that passed.
            writeln!(std::io::stderr(), "SKIPPED: PostgreSQL is not installed").unwrap();
            return None;
        };
        let cluster = Self::start(&programs);
        cluster.admin(&format!("CREATE DATABASE {TEMPLATE}")).await;
        Store::migrate(&cluster.url(TEMPLATE)).await.unwrap();
        Some(cluster)
    }

    fn start(programs: &Path) -> Self {
        let folder = tempfile::Builder::new().prefix("store-pg-").tempdir().unwrap().keep();
        let mut command = Command::new("sh");
        command.args(["-c", SCRIPT, "sh"]).arg(programs).arg(&folder).process_group(0);
        // PostgreSQL refuses to run as root.
        if id(&["-u"]) == Some(0) {
            let (user, group) = (id(&["-u", "postgres"]).unwrap(), id(&["-g", "postgres"]).unwrap());
            std::os::unix::fs::chown(&folder, Some(user), Some(group)).unwrap();
            command.uid(user).gid(group);
        }
        let mut script = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        let mut lines = BufReader::new(script.stdout.take().unwrap());
        while !said.ends_with("ready\n") && lines.read_line(&mut said).unwrap() > 0 && !said.ends_with("failed\n") {}
        assert!(said.ends_with("ready\n"), "PostgreSQL did not start: {said}");
        Self { folder, databases: AtomicUsize::new(0), _script: script }
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@localhost/{database}?host={}", self.folder.display())
    }

    /// A database with its tables, by copy: many times faster than making them anew.
    pub(crate) async fn create_database(&self) -> String {
        self.create_from(TEMPLATE).await
    }

    pub(crate) async fn create_empty_database(&self) -> String {
        self.create_from("template0").await
    }

    pub(crate) async fn drop_database(&self, name: &str) {
        self.admin(&format!("DROP DATABASE {name} WITH (FORCE)")).await;
    }

    async fn create_from(&self, template: &str) -> String {
        let name = format!("case_{}", self.databases.fetch_add(1, Ordering::Relaxed));
        self.admin(&format!("CREATE DATABASE {name} TEMPLATE {template}")).await;
        name
    }

    async fn admin(&self, statement: &str) {
        let mut connection = PgConnection::connect(&self.url("postgres")).await.unwrap();
        connection.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }
}

/// The folder with PostgreSQL's programs: the one on the path, or the newest that a Debian system has.
fn find_programs() -> Option<PathBuf> {
    let on_path = Command::new("sh").args(["-c", "command -v initdb && command -v pg_ctl"]).output().ok()?;
    if on_path.status.success() {
        let first = String::from_utf8_lossy(&on_path.stdout).lines().next()?.to_owned();
        return Path::new(&first).parent().map(Path::to_owned);
    }
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let newest = versions.max_by_key(|entry| entry.file_name().to_string_lossy().parse::<u32>().unwrap_or(0))?;
    let programs = newest.path().join("bin");
    programs.join("initdb").exists().then_some(programs)
}

fn id(arguments: &[&str]) -> Option<u32> {
    String::from_utf8(Command::new("id").args(arguments).output().ok()?.stdout).ok()?.trim().parse().ok()
}

#[expect(clippy::disallowed_methods, reason = "the switch of the test run, which has no settings")]
fn required() -> bool {
    std::env::var("REQUIRE_POSTGRES").is_ok_and(|value| value == "1")
}
