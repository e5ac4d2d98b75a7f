//! A PostgreSQL server for one test, which can stop and start it. It is removed at the end of the test.

#[path = "../../../store/tests/conformance/postgres_programs.rs"]
mod postgres_programs;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// `$1` is the folder of the programs, `$2` the server's, `$3` a TCP port. It executes the commands from the pipe. At
/// the end of the pipe it stops the server and removes its files. Nothing is synced to disk, because no test simulates
/// a power failure.
const SCRIPT: &str = r#"
trap '' INT HUP
cd "$2" || exit 1
ssl() {
  name=$1
  shift
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$name" -keyout "$name.key" -out "$name.crt" "$@" 2>>log
}
start() {
  "$1/pg_ctl" -D "$2/data" -w -t 60 -l "$2/log" -o "-k '$2' -c listen_addresses=localhost -p $3 -c ssl=on \
    -c ssl_cert_file='$2/server.crt' -c ssl_key_file='$2/server.key' -c fsync=off -c full_page_writes=off \
    -c max_connections=200 -c shared_buffers=32MB" start >/dev/null </dev/null
}
ssl authority -addext basicConstraints=critical,CA:TRUE && ssl stranger -addext basicConstraints=critical,CA:TRUE &&
ssl server -CA authority.crt -CAkey authority.key -addext subjectAltName=DNS:localhost -addext basicConstraints=CA:FALSE &&
"$1/initdb" -D "$2/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >>log 2>&1 &&
chmod 644 authority.crt stranger.crt && start "$@" && echo done || { cat log; echo failed; }
while read -r line; do
  case "$line" in
    stop) "$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1 ;;
    start) start "$@" ;;
  esac
  echo done
done
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null 2>&1
rm -rf "$2/data" log server.* authority.* stranger.*
"#;

pub(crate) struct Postgres {
    folder: TempDir,
    port: u16,
    script: Child,
    commands: Option<ChildStdin>,
    says: BufReader<ChildStdout>,
}

impl Postgres {
    /// `None`, with a message, if PostgreSQL is not installed.
    pub(crate) fn start() -> Option<Self> {
        let programs = postgres_programs::installed()?;
        let folder = tempfile::Builder::new()
            .prefix("hunkwise-pg-")
            .tempdir()
            .unwrap();
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let mut script =
            postgres_programs::run(SCRIPT, &programs, folder.path(), &[&port.to_string()]);
        let (commands, says) = (
            script.stdin.take(),
            BufReader::new(script.stdout.take().unwrap()),
        );
        let mut postgres = Self {
            folder,
            port,
            script,
            commands,
            says,
        };
        postgres.receive();
        Some(postgres)
    }

    /// Its URL for a socket in its folder.
    pub(crate) fn url(&self) -> String {
        format!(
            "postgres://postgres@localhost/postgres?host={}&port={}",
            self.folder.path().display(),
            self.port
        )
    }

    /// Its URL for TCP with TLS; `parameters` are those of TLS.
    pub(crate) fn tcp_url(&self, host: &str, parameters: &str) -> String {
        format!(
            "postgres://postgres@{host}:{}/postgres?{parameters}",
            self.port
        )
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Stops it like a crash.
    pub(crate) fn stop(&mut self) {
        self.send("stop");
    }

    pub(crate) fn start_again(&mut self) {
        self.send("start");
    }

    /// Sends a signal to all of its processes, to suspend or resume them.
    pub(crate) fn signal_all(&self, signal: Signal) {
        let pid = std::fs::read_to_string(self.file("data/postmaster.pid")).unwrap();
        let server: i32 = pid.lines().next().unwrap().parse().unwrap();
        for pid in children(server).into_iter().chain([server]) {
            // The process may have ended in the meantime.
            let _ended = kill_process(Pid::from_raw(pid).unwrap(), signal);
        }
    }

    /// The result of a query, as text.
    pub(crate) fn query(&self, sql: &str) -> String {
        let output = Command::new("psql")
            .args(["-X", "-A", "-t", "-c", sql, &self.url()])
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    fn send(&mut self, what: &str) {
        writeln!(self.commands.as_mut().unwrap(), "{what}").unwrap();
        self.receive();
    }

    fn receive(&mut self) {
        let mut message = String::new();
        while !message.ends_with("done\n") {
            let end = self.says.read_line(&mut message).unwrap() == 0;
            assert!(
                !end && !message.ends_with("failed\n"),
                "PostgreSQL did not start: {message}"
            );
        }
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.commands = None;
        let _stopped = self.script.wait();
    }
}

/// The running child processes of a process.
pub(crate) fn children(parent: i32) -> Vec<i32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let is_child = |pid: &i32| {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        // The state and the parent follow the name in parentheses.
        stat.rsplit_once(')')
            .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse().ok())
            == Some(parent)
    };
    numbers.filter(is_child).collect()
}
