//! Tests the language server with Neovim.

use std::io::Write as _;
use std::process::{Command, Stdio};

use crate::session::{GOOD, clean, repository};

const SCRIPT: &str = include_str!("neovim.lua");

/// The Neovim of the test environment.
#[expect(
    clippy::disallowed_methods,
    reason = "the test environment is configured with variables"
)]
fn neovim() -> Option<String> {
    let neovim = std::env::var("NEOVIM").unwrap_or_else(|_| "nvim".to_owned());
    let found = Command::new(&neovim)
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Some(neovim);
    }
    let required = std::env::var("REQUIRE_NEOVIM").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "REQUIRE_NEOVIM is set, but {neovim} is not Neovim"
    );
    // Bypasses the test runner's capture, so that a skipped test does not look like one that passed.
    let mut stderr = std::io::stderr();
    writeln!(
        stderr,
        "SKIPPED: Neovim is not installed (apt-get install neovim; NEOVIM)"
    )
    .unwrap();
    None
}

#[test]
fn neovim_shows_findings_and_applies_fixes() {
    let Some(neovim) = neovim() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    repository(&folder);
    let script = folder.join("story.lua");
    std::fs::write(&script, SCRIPT).unwrap();
    std::fs::write(
        folder.join("a.py"),
        format!("import os\nROOT = os.sep\n\n{GOOD}"),
    )
    .unwrap();
    let mut command = clean(&neovim, &folder);
    command
        .env("HUNKWISE", env!("CARGO_BIN_EXE_hunkwise"))
        .env("HOME", &folder);
    for name in [
        "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME",
    ] {
        command.env(name, folder.join("home"));
    }
    command
        .args(["--headless", "--clean", "-i", "NONE", "a.py", "-c"])
        .arg(format!("luafile {}", script.display()));
    let output = command.stdin(Stdio::null()).output().unwrap();
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && message.contains("all as expected"),
        "{message}"
    );
}
