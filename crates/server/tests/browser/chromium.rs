//! Headless Chromium with a profile of its own: what a page became, what it asked for and what it complained of.

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

/// Long enough for a busy machine; a browser that takes so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);
/// The browser itself must not ask anybody either, so no other name resolves.
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
    // Otherwise the browser asks its maker about every form.
    "--disable-features=AutofillServerCommunication",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
const FLAGS: &[&str] = &[
    "--enable-logging=stderr",
    "--virtual-time-budget=10000",
    "--dump-dom",
];

/// What came of a page.
pub(crate) struct Visit {
    /// The document after its scripts have run.
    pub(crate) dom: String,
    /// The URLs that the page asked for, itself included.
    pub(crate) requests: Vec<String>,
    /// What the browser wrote to its console: script errors, broken policies, failed loads.
    pub(crate) complaints: Vec<String>,
    /// Where the page came from.
    pub(crate) origin: String,
}

/// Serves `router` and visits a path of it. None, after a loud word, where Chromium is not installed.
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
        timeout(PATIENCE, command.output())
            .await
            .expect("Chromium comes to an end")
            .unwrap(),
    )
}

/// The program. None, after a loud word, where it is not installed.
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
        // Past the test runner's capture: a skipped case must not look like one that passed.
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

/// The requests in Chromium's network log that were made for the page, and not for the browser itself.
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
