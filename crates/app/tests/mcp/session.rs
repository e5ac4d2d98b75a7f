//! A minimal MCP client.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Python with one finding of priority P2 (`python/mutable-default-argument`) on its first line.
pub(crate) const BAD: &str = "def add(item, basket=[]):\n    return basket + [item]\n";
/// Python without findings.
pub(crate) const GOOD: &str = "def add(item, basket):\n    return basket + [item]\n";
/// The rule that reports a finding in [`BAD`].
pub(crate) const RULE: &str = "python/mutable-default-argument";

/// A diff that adds a file.
pub(crate) fn added(path: &str, text: &str) -> String {
    let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
    let count = text.lines().count();
    format!(
        "diff --git a/{path} b/{path}\nnew file mode 100644\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{count} @@\n{lines}"
    )
}

/// A program that uses neither this machine's git configuration nor a repository around the tests.
pub(crate) fn clean(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    for name in [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "HUNKWISE_CONFIG", "HUNKWISE_TOKEN",
    ] {
        command.env_remove(name);
    }
    command
}

/// A repository with a single commit of the good file, which is replaced by the bad one in the working tree.
pub(crate) fn repository(folder: &Path) {
    let git = |arguments: &[&str]| {
        let identity = [
            "-c", "user.name=A Tester", "-c", "user.email=tester@example.com",
        ];
        assert!(
            clean("git", folder)
                .args(identity)
                .args(arguments)
                .status()
                .unwrap()
                .success(),
            "git {arguments:?}"
        );
    };
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(folder.join("a.py"), GOOD).unwrap();
    fs::write(folder.join("sub/b.py"), GOOD).unwrap();
    git(&["init", "--quiet", "--initial-branch=main"]);
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "start"]);
    fs::write(folder.join("a.py"), BAD).unwrap();
    fs::write(folder.join("sub/b.py"), BAD).unwrap();
}

/// The running program and its streams.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last: u64,
    /// Messages other than responses.
    pub(crate) notifications: Vec<Value>,
    /// The roots that this client lists, if it supports roots.
    roots: Option<Vec<String>>,
    /// Removed with the session.
    folder: Option<TempDir>,
}

impl Session {
    /// Starts the program in a folder.
    pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = clean(env!("CARGO_BIN_EXE_hunkwise"), folder);
        command
            .args(arguments)
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (
            child.stdin.take(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        Self {
            child,
            stdin,
            stdout,
            last: 0,
            notifications: Vec::new(),
            roots: None,
            folder: None,
        }
    }

    /// An initialized session in an empty folder.
    pub(crate) fn begun() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut session = Self::start(folder.path(), &[]);
        session.initialize(None);
        session.folder = Some(folder);
        session
    }

    /// Initializes the session, as a client with these roots.
    pub(crate) fn initialize(&mut self, roots: Option<Vec<String>>) -> Value {
        let capabilities = if roots.is_some() {
            json!({ "roots": {} })
        } else {
            json!({})
        };
        self.roots = roots;
        let answer = self.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": capabilities,
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        self.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        answer
    }

    pub(crate) fn send(&mut self, message: &Value) {
        self.send_line(message.to_string().as_bytes());
    }

    pub(crate) fn send_line(&mut self, line: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin
            .write_all(line)
            .and_then(|()| stdin.write_all(b"\n"))
            .and_then(|()| stdin.flush())
            .unwrap();
    }

    /// Sends a request without waiting for its response.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        self.send(
            &json!({ "jsonrpc": "2.0", "id": self.last, "method": method, "params": params }),
        );
        self.last
    }

    /// The response to a request.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The result of a tool.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.request(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        )["result"]
            .take()
    }

    /// The text of a tool's error.
    pub(crate) fn refused(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Reads up to the response to a request, and answers requests for roots.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self
                .next()
                .unwrap_or_else(|| panic!("it ended: {}", self.ended().1));
            if message["method"] == "roots/list" {
                let uris = self.roots.clone().unwrap_or_default();
                let roots: Vec<Value> = uris.into_iter().map(|uri| json!({ "uri": uri })).collect();
                self.send(
                    &json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "roots": roots } }),
                );
            } else if message["id"] == id {
                return message;
            } else {
                self.notifications.push(message);
            }
        }
    }

    /// The next message; `None` at the end. Any other output on stdout fails the test.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        (!line.is_empty())
            .then(|| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }

    /// Closes stdin and waits for the end. Returns the remaining messages and the exit status.
    pub(crate) fn close(&mut self) -> (Vec<Value>, i32) {
        self.stdin = None;
        let rest: Vec<Value> = std::iter::from_fn(|| self.next()).collect();
        (rest, self.ended().0)
    }

    /// The exit status and stderr.
    fn ended(&mut self) -> (i32, String) {
        self.stdin = None;
        let mut message = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            stderr.read_to_string(&mut message).unwrap();
        }
        assert!(!message.contains("panicked"), "{message}");
        (self.child.wait().unwrap().code().unwrap_or(-1), message)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

/// The text of a result.
pub(crate) fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

/// The findings of a result as `path:line rule`.
pub(crate) fn findings(result: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let line = |f: &Value| {
        format!(
            "{}:{} {}",
            text(&f["filePath"]),
            f["lineNumber"],
            text(&f["ruleId"])
        )
    };
    result["structuredContent"]["findings"]
        .as_array()
        .unwrap_or_else(|| panic!("{result}"))
        .iter()
        .map(line)
        .collect()
}
