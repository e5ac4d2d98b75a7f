//! Runs the binary in a separate folder, with only the environment that a test sets.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

/// Longer than any operation takes; only a failing test waits this long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A folder, the variables for its processes, and these processes.
pub(crate) struct Place {
    folder: TempDir,
    variables: Vec<(String, String)>,
}

/// A process that has ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self {
            folder: TempDir::new().unwrap(),
            variables: Vec::new(),
        }
    }

    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hunkwise"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .stdin(Stdio::null());
        command.env("TMPDIR", self.folder.path());
        if arguments.first() == Some(&"serve") {
            // Services of many tests run concurrently, and there is only one default address.
            command.env("HUNKWISE_METRICS_BIND", "off");
        }
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        let output = self.command(arguments).output().unwrap();
        Ended {
            status: output.status.code().unwrap(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Runs a command that must succeed and print one JSON object.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let ended = self.run(arguments);
        assert_eq!(ended.status, 0, "{ended:?}");
        assert_eq!(ended.stdout.lines().count(), 1, "{ended:?}");
        serde_json::from_str(&ended.stdout).unwrap()
    }

    /// Runs a command that must fail with `status`, and returns stderr.
    pub(crate) fn refused(&self, status: i32, arguments: &[&str]) -> String {
        let ended = self.run(arguments);
        assert_eq!(
            (ended.status, ended.stdout.as_str()),
            (status, ""),
            "{ended:?}"
        );
        ended.stderr
    }

    /// Starts `serve` on a free port and waits until it logs its address.
    pub(crate) fn serve(&self, arguments: &[&str]) -> Serving {
        let arguments = [&["serve", "--bind", "127.0.0.1:0"], arguments].concat();
        let mut process = Process::start(self.command(&arguments));
        let line = process.stderr_until("listening on");
        let address = line
            .split("http://")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        Serving {
            address: address.parse().unwrap(),
            process,
        }
    }
}

/// A running process, killed at the end of the test.
pub(crate) struct Process {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
    /// Everything read from stderr so far.
    pub(crate) log: String,
}

impl Process {
    pub(crate) fn start(mut command: Command) -> Self {
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self {
            child,
            stdout,
            stderr,
            log: String::new(),
        }
    }

    /// Reads stderr up to the first line that contains `words`, and returns that line.
    pub(crate) fn stderr_until(&mut self, words: &str) -> String {
        loop {
            let mut line = String::new();
            assert_ne!(
                self.stderr.read_line(&mut line).unwrap(),
                0,
                "ended without {words:?}: {}",
                self.log
            );
            self.log.push_str(&line);
            if line.contains(words) {
                return line;
            }
        }
    }

    /// Reads stdout up to and with the first line that contains `words`.
    pub(crate) fn stdout_until(&mut self, words: &str) -> String {
        let mut text = String::new();
        while !text.lines().last().is_some_and(|line| line.contains(words)) {
            assert_ne!(
                self.stdout.read_line(&mut text).unwrap(),
                0,
                "ended without {words:?}: {text}"
            );
        }
        text
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the process to end.
    pub(crate) fn end(mut self) -> Ended {
        let (mut stdout, mut stderr) = (String::new(), std::mem::take(&mut self.log));
        self.stdout.read_to_string(&mut stdout).unwrap();
        self.stderr.read_to_string(&mut stderr).unwrap();
        Ended {
            status: self.child.wait().unwrap().code().unwrap(),
            stdout,
            stderr,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// A running service.
pub(crate) struct Serving {
    pub(crate) address: SocketAddr,
    pub(crate) process: Process,
}

impl Serving {
    /// Sends one request and returns the status and the body.
    pub(crate) fn send(&self, method: &str, path: &str, token: &str, body: &str) -> (u16, Value) {
        let mut request = Request::begin(self.address, method, path, token, body.len());
        request.write(body);
        request.answer()
    }
}

/// A request that is sent piece by piece.
pub(crate) struct Request {
    stream: TcpStream,
}

impl Request {
    /// Sends the header of a request whose body will have `length` bytes.
    pub(crate) fn begin(
        address: SocketAddr,
        method: &str,
        path: &str,
        token: &str,
        length: usize,
    ) -> Self {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).unwrap();
        Self { stream }
    }

    pub(crate) fn write(&mut self, body: &str) {
        self.stream.write_all(body.as_bytes()).unwrap();
    }

    /// The data received until the connection is closed; empty if it is cut off.
    pub(crate) fn raw_answer(mut self) -> String {
        let mut answer = Vec::new();
        let _cut_off = self.stream.read_to_end(&mut answer);
        String::from_utf8(answer).unwrap()
    }

    pub(crate) fn answer(self) -> (u16, Value) {
        self.answer_if_any().unwrap()
    }

    /// The response; `None` if the connection was closed without one.
    pub(crate) fn answer_if_any(self) -> Option<(u16, Value)> {
        let answer = self.raw_answer();
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Some((status, serde_json::from_str(body).unwrap_or(Value::Null)))
    }
}
