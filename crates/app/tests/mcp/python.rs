//! Tests with the Python SDK of the protocol.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::session::{BAD, added, clean, repository};

const CLIENT: &str = include_str!("client.py");
const DATABASE: &str = "sqlite://a.db";

/// The Python installation with the SDK.
#[expect(
    clippy::disallowed_methods,
    reason = "the test environment is configured with variables"
)]
fn python() -> Option<String> {
    let python = std::env::var("MCP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python)
        .args(["-c", "import mcp, jsonschema"])
        .stderr(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    let required = std::env::var("REQUIRE_MCP").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "REQUIRE_MCP is set, but {python} lacks mcp or jsonschema"
    );
    // Bypasses the test runner's capture, so that a skipped test does not look like one that passed.
    let mut stderr = std::io::stderr();
    writeln!(
        stderr,
        "SKIPPED: the Python SDK of MCP is not installed (pip install mcp; MCP_PYTHON)"
    )
    .unwrap();
    None
}

/// Runs the Python client against the program or the service in `peer`.
fn run_client(python: &str, folder: &Path, peer: &[&str]) {
    let mut command = clean(python, folder);
    command.args(["-c", CLIENT, &added("a.py", BAD)]).args(peer);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{message}");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "all as declared\n",
        "{message}"
    );
}

#[test]
fn results_match_the_schemas_in_the_python_sdk() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    run_client(&python, folder.path(), &[env!("CARGO_BIN_EXE_hunkwise")]);
}

/// A service, killed at the end of the test.
struct Service(Child);

impl Drop for Service {
    fn drop(&mut self) {
        let _gone = self.0.kill();
        let _reaped = self.0.wait();
    }
}

impl Service {
    /// Starts it on a free port, and returns its address.
    fn start(folder: &Path) -> (Self, String) {
        let mut command = clean(env!("CARGO_BIN_EXE_hunkwise"), folder);
        command
            .args(["serve", "--bind", "127.0.0.1:0", "--database", DATABASE])
            .env("HUNKWISE_METRICS_BIND", "off");
        command.env("HUNKWISE_ENTITLEMENTS__GRANT_ON_CREATE", "owner");
        let mut child = command
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let service = Self(child);
        let mut line = String::new();
        while !line.contains("listening on ") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "it ended");
        }
        let address = line
            .split("listening on ")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap()
            .trim()
            .to_owned();
        // Its log is drained, so that it does not block.
        std::thread::spawn(move || stderr.lines().for_each(drop));
        (service, address)
    }
}

/// Runs `hunkwise admin`, and returns one value of its output.
fn admin(folder: &Path, words: &str, name: &str) -> String {
    let mut command = clean(env!("CARGO_BIN_EXE_hunkwise"), folder);
    command
        .args(["admin", "--json", "--database", DATABASE])
        .args(words.split(' '));
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    printed[name].as_str().unwrap_or_default().to_owned()
}

#[test]
fn the_python_sdk_gets_the_same_results_from_a_service() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (_service, address) = Service::start(folder.path());
    let admin = |words: &str, name| admin(folder.path(), words, name);
    let user = admin("user create --name Ada", "userId");
    let token = admin(&format!("token create --user {user}"), "token");
    run_client(&python, folder.path(), &[&address, &token]);
}
