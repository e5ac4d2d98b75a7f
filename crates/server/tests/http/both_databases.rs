//! Runs the same tests again on PostgreSQL: this program starts itself with another database.
//!
//! So `cargo test` covers both databases, and nothing is compiled twice. The PostgreSQL server belongs to the run and is removed with its
//! folder. A test takes over the emptied database of a finished one, because copying the template means copying hundreds of files.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::support::{Database, VARIABLE};

#[test]
fn every_test_passes_on_postgres_as_well() {
    if Database::is_postgres() || !Database::postgres_is_installed() {
        return;
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    again
        .args(["--skip", "both_databases::"])
        .env(VARIABLE, "postgres")
        .stderr(Stdio::inherit());
    let output = again.output().unwrap();
    let output_text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "on PostgreSQL:\n{output_text}");
    // Bypasses the test runner's capture, because `cargo xtask test` counts the tests by this line.
    let result = output_text
        .lines()
        .find(|line| line.starts_with("test result: "))
        .unwrap();
    writeln!(std::io::stdout(), "{result}").unwrap();
}
