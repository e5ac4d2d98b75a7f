//! Headless Chromium with a temporary profile: returns the rendered page, its requests and its errors.

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Output, Stdio};
use std::time::Duration;

use axum::Router;
use serde_json::Value;
use server::Transport;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::time::timeout;

/// Timeout: long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(120);
/// The browser itself must not send requests either, so no other host name resolves.
pub(crate) const COMMON_FLAGS: &[&str] = &[
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Otherwise the browser queries its vendor about every form.
    "--disable-features=AutofillServerCommunication",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
const FLAGS: &[&str] = &[
    "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom",
];

/// The result of loading a page.
pub(crate) struct Visit {
    /// The document after its scripts have run.
    pub(crate) dom: String,
    /// The URLs that the page requested, including its own.
    pub(crate) requests: Vec<String>,
    /// Messages in the browser's console: script errors, policy violations, failed loads.
    pub(crate) complaints: Vec<String>,
    /// The origin of the page.
    pub(crate) origin: String,
}

/// Serves `router` and loads a path of it; `None`, with a notice, if Chromium is not installed.
pub(crate) async fn visit(router: Router, path: &str) -> Option<Visit> {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let serving = tokio::spawn(async move {
        server::serve(
            listener,
            router,
            &Transport::default(),
            std::future::pending(),
        )
        .await
    });
    let folder = tempfile::tempdir().unwrap();
    let output = run(folder.path(), &format!("{origin}{path}")).await;
    serving.abort();
    let output = output?;
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{log}");
    Some(Visit {
        dom: String::from_utf8(output.stdout).unwrap(),
        requests: requests(&std::fs::read(net_log(folder.path())).unwrap()),
        complaints: log
            .lines()
            .filter(|line| line.contains("CONSOLE"))
            .map(str::to_owned)
            .collect(),
        origin,
    })
}

async fn run(folder: &Path, url: &str) -> Option<Output> {
    let mut command = Command::new(program()?);
    command
        .args(COMMON_FLAGS)
        .args(FLAGS)
        .arg(flag("--user-data-dir=", &folder.join("profile")));
    command
        .arg(flag("--log-net-log=", &net_log(folder)))
        .arg(url);
    command.stdin(Stdio::null()).kill_on_drop(true);
    Some(
        timeout(TIMEOUT, command.output())
            .await
            .expect("Chromium exits")
            .unwrap(),
    )
}

/// The program; `None`, with a notice, if it is not installed.
pub(crate) fn program() -> Option<&'static str> {
    let found = ["chromium", "/usr/bin/chromium"]
        .into_iter()
        .find(|program| {
            let mut version = std::process::Command::new(program);
            version
                .arg("--version")
                .stdout(Stdio::null())
                .stderr(Stdio::null());
            version.status().is_ok_and(|status| status.success())
        });
    if found.is_none() {
        assert!(
            !required(),
            "REQUIRE_CHROMIUM is set and chromium is not installed"
        );
        // Bypasses the test runner's capture, because a skipped case must not look like one that passed.
        writeln!(std::io::stderr(), "SKIPPED: chromium is not installed").unwrap();
    }
    found
}

fn net_log(folder: &Path) -> std::path::PathBuf {
    folder.join("net.json")
}

pub(crate) fn flag(name: &str, path: &Path) -> OsString {
    let mut flag = OsString::from(name);
    flag.push(path);
    flag
}

#[expect(
    clippy::disallowed_methods,
    reason = "the environment says whether a skip is a failure"
)]
fn required() -> bool {
    std::env::var_os("REQUIRE_CHROMIUM").is_some_and(|value| value == "1")
}

/// The requests in Chromium's network log that were made for the page, not for the browser itself.
fn requests(log: &[u8]) -> Vec<String> {
    let log: Value = serde_json::from_slice(log).unwrap();
    let start = &log["constants"]["logEventTypes"]["URL_REQUEST_START_JOB"];
    assert!(start.is_number(), "the log has another form");
    let events = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|event| event["type"] == *start);
    let ours = events.map(|event| &event["params"]).filter(|params| {
        params["network_isolation_key"]
            .as_str()
            .is_some_and(|key| key.starts_with("http://127.0.0.1 "))
    });
    ours.map(|params| params["url"].as_str().unwrap().to_owned())
        .collect()
}
