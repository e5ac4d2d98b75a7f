//! A client of another language: the Python SDK of the protocol.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::session::{BAD, added, clean, repository};

const CLIENT: &str = include_str!("client.py");

/// The Python that has the SDK.
#[expect(clippy::disallowed_methods, reason = "the switches of the test run, which has no settings")]
fn python() -> Option<String> {
    let python = std::env::var("MCP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let found = Command::new(&python).args(["-c", "import mcp, jsonschema"]).stderr(Stdio::null()).status();
    if found.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    let required = std::env::var("REQUIRE_MCP").is_ok_and(|value| value == "1");
    assert!(!required, "REQUIRE_MCP is set and {python} has no mcp and jsonschema");
    // Past the test runner's capture: a skipped case must not look like one that passed.
    let mut stderr = std::io::stderr();
    writeln!(stderr, "SKIPPED: the Python SDK of MCP is not installed (pip install mcp; MCP_PYTHON)").unwrap();
    None
}

#[test]
fn the_python_sdk_gets_what_the_schemas_say() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let mut command = clean(&python, folder.path());
    command.args(["-c", CLIENT, env!("CARGO_BIN_EXE_hunkwise"), &added("a.py", BAD)]);
    let output = command.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "all as declared\n", "{said}");
}
