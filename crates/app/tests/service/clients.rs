//! Tests clients generated from docs/openapi.json against a running service. `clients/generate.sh` generates them.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::client::user;
use crate::support::Place;

const DATABASE: &str = "sqlite://a.db";

/// The folder of the generated client.
#[expect(
    clippy::disallowed_methods,
    reason = "the test environment is configured with variables"
)]
fn generated(language: &str) -> Option<PathBuf> {
    let folder = std::env::var("API_CLIENTS")
        .map(|clients| Path::new(&clients).join(language))
        .ok();
    if let Some(folder) = folder.filter(|folder| folder.exists()) {
        return Some(folder);
    }
    let required = std::env::var("REQUIRE_API_CLIENTS").is_ok_and(|value| value == "1");
    assert!(
        !required,
        "REQUIRE_API_CLIENTS is set, but API_CLIENTS names no folder with {language}"
    );
    // Bypasses the test runner's capture, so that a skipped test does not look like one that passed.
    let mut stderr = std::io::stderr();
    writeln!(
        stderr,
        "SKIPPED: the {language} client is not generated (clients/generate.sh; API_CLIENTS)"
    )
    .unwrap();
    None
}

/// Runs a client's example, which asserts its results.
fn run(program: &Path, example: &Path) {
    let place = Place::new().variable("HUNKWISE_ENTITLEMENTS__GRANT_ON_CREATE", "owner");
    let serving = place.serve(&["--database", DATABASE]);
    let (_, token) = user(&place, DATABASE);
    let mut command = Command::new(program);
    command
        .arg(example)
        .env("SERVICE_URL", format!("http://{}", serving.address))
        .env("HUNKWISE_TOKEN", token);
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "organization created, change reviewed, review followed\n"
    );
}

#[test]
fn the_python_client_creates_reviews_and_streams() {
    let Some(folder) = generated("python") else {
        return;
    };
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../clients/python/example.py");
    run(&folder.join("venv/bin/python"), &example);
}

#[test]
fn the_typescript_client_creates_reviews_and_streams() {
    let Some(folder) = generated("typescript") else {
        return;
    };
    run(Path::new("node"), &folder.join("built/example.js"));
}
