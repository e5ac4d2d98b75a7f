//! A minimal LSP client.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// Python with one finding of priority P2 on its first line.
pub(crate) const BAD: &str = "def add(item, basket=[]):\n    return basket + [item]\n";
/// Python without findings.
pub(crate) const GOOD: &str = "def add(item, basket):\n    return basket + [item]\n";
/// The rule that reports a finding in [`BAD`].
pub(crate) const RULE: &str = "python/mutable-default-argument";

/// A program that uses neither this machine's git configuration nor a repository around the tests.
pub(crate) fn clean(program: &str, folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1");
    command.env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap());
    // Inside `.git`, so that git reports no change.
    command.env("XDG_CACHE_HOME", folder.join(".git/cache"));
    for name in [
        "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "HUNKWISE_CONFIG", "HUNKWISE_TOKEN",
    ] {
        command.env_remove(name);
    }
    command
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) {
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
}

/// A repository with a single commit of the good file.
pub(crate) fn repository(folder: &Path) {
    fs::write(folder.join("a.py"), GOOD).unwrap();
    git(folder, &["init", "--quiet", "--initial-branch=main"]);
    git(folder, &["add", "--all"]);
    git(folder, &["commit", "--quiet", "--message", "start"]);
}

/// The running server and its streams.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last: u64,
    /// Messages that arrived while waiting for others.
    pub(crate) seen: Vec<Value>,
    pub(crate) folder: PathBuf,
    /// Removed with the session.
    _own: TempDir,
}

impl Session {
    /// Starts the program in a new repository.
    pub(crate) fn start() -> Self {
        Self::start_with(|_, _| ())
    }

    /// Starts the program in a new repository, after `prepare` has seen its folder and the command.
    pub(crate) fn start_with(prepare: impl FnOnce(&Path, &mut Command)) -> Self {
        let own = tempfile::tempdir().unwrap();
        let folder = own.path().canonicalize().unwrap();
        repository(&folder);
        let mut command = clean(env!("CARGO_BIN_EXE_hunkwise"), &folder);
        prepare(&folder, &mut command);
        command
            .args(["lsp", "--stdio"])
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
            seen: Vec::new(),
            folder,
            _own: own,
        }
    }

    /// A session initialized with these client capabilities. Reviews start without a pause.
    pub(crate) fn begun(capabilities: Value) -> Self {
        let mut session = Self::start();
        session.initialize(capabilities, json!({ "pauseMilliseconds": 0 }));
        session
    }

    pub(crate) fn initialize(&mut self, capabilities: Value, options: Value) -> Value {
        let folders = json!([{ "uri": self.uri(""), "name": "test" }]);
        let params = json!({
            "processId": null, "rootUri": null, "capabilities": capabilities, "workspaceFolders": folders,
            "initializationOptions": options,
        });
        let answer = self.request("initialize", params);
        self.notify("initialized", json!({}));
        answer
    }

    /// The URI of a file in the folder.
    pub(crate) fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.join(path).display())
    }

    pub(crate) fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.send_bytes(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().unwrap();
        stdin.write_all(bytes).and_then(|()| stdin.flush()).unwrap();
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
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

    /// Reads up to the response to a request.
    pub(crate) fn answer(&mut self, id: u64) -> Value {
        self.wait(|message| message["id"] == id && message["method"].is_null())
    }

    /// Reads up to a message and keeps the others.
    pub(crate) fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self
                .next()
                .unwrap_or_else(|| panic!("it ended: {}", self.ended().1));
            if wanted(&message) {
                return message;
            }
            self.seen.push(message);
        }
    }

    /// The next message; `None` at the end. Any other output on stdout fails the test.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let mut header = String::new();
        self.stdout.read_line(&mut header).unwrap();
        if header.is_empty() {
            return None;
        }
        let length = header
            .strip_prefix("Content-Length: ")
            .unwrap_or_else(|| panic!("{header}"));
        let mut content = vec![0; length.trim().parse::<usize>().unwrap() + 2];
        self.stdout.read_exact(&mut content).unwrap();
        Some(serde_json::from_slice(content.strip_prefix(b"\r\n").unwrap()).unwrap())
    }

    pub(crate) fn open(&mut self, path: &str, language: &str, text: &str) {
        let uri = self.uri(path);
        let item = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub(crate) fn change(&mut self, path: &str, version: i32, changes: Value) {
        let document = json!({ "uri": self.uri(path), "version": version });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": changes }),
        );
    }

    /// The diagnostics published for a version of a file.
    pub(crate) fn published(&mut self, path: &str, version: impl Into<Option<i32>>) -> Vec<Value> {
        let (uri, version) = (self.uri(path), json!(version.into()));
        let mut message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && message["params"]["version"] == version
        });
        message["params"]["diagnostics"]
            .take()
            .as_array()
            .unwrap()
            .clone()
    }

    /// Waits for a message to the user or the log, and returns its text.
    pub(crate) fn wait_for_text(&mut self, method: &str) -> String {
        self.wait(|message| message["method"] == method)["params"]["message"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Closes stdin and waits for the end. Returns the remaining messages, the exit status and stderr.
    pub(crate) fn close(&mut self) -> (Vec<Value>, i32, String) {
        self.stdin = None;
        self.rest()
    }

    /// Waits for the end.
    pub(crate) fn rest(&mut self) -> (Vec<Value>, i32, String) {
        let rest: Vec<Value> = std::iter::from_fn(|| self.next()).collect();
        let (status, message) = self.ended();
        (rest, status, message)
    }

    fn ended(&mut self) -> (i32, String) {
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

/// The rules of some diagnostics.
pub(crate) fn rules(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics
        .iter()
        .map(|one| one["code"].as_str().unwrap())
        .collect()
}

/// A text change in the format of the protocol.
pub(crate) fn edit(from: (u32, u32), to: (u32, u32), text: &str) -> Value {
    let position = |(line, character)| json!({ "line": line, "character": character });
    json!({ "range": { "start": position(from), "end": position(to) }, "text": text })
}
