//! Drives Chromium over its DevTools protocol, through two pipes: without a port or a driver program.

use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use axum::Router;
use serde_json::{Value, json};
use server::Transport;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::chromium;

/// Timeout: long enough for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);
/// Chromium reads commands from descriptor 3 and writes to 4. A shell maps the program's standard input and output to
/// them.
const WITH_PIPES: &str = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";

/// A browser with one page, and the service that it uses.
pub(crate) struct Browser {
    pub(crate) origin: String,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    session: String,
    commands: u64,
    events: Vec<Value>,
    serving: JoinHandle<std::io::Result<()>>,
    folder: TempDir,
    _child: Child,
}

impl Browser {
    /// Serves `router` and opens an empty page; `None`, with a notice, if Chromium is not installed.
    pub(crate) async fn open(router: Router) -> Option<Self> {
        let program = chromium::program()?;
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
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", WITH_PIPES, program])
            .args(chromium::COMMON_FLAGS)
            .arg("--remote-debugging-pipe");
        command
            .arg(chromium::flag(
                "--user-data-dir=",
                &folder.path().join("profile"),
            ))
            .arg("about:blank");
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let (input, output) = (
            child.stdin.take().unwrap(),
            BufReader::new(child.stdout.take().unwrap()),
        );
        let (session, events) = (String::new(), Vec::new());
        let mut browser = Self {
            origin,
            input,
            output,
            session,
            commands: 0,
            events,
            serving,
            folder,
            _child: child,
        };
        let target = browser
            .command("Target.createTarget", json!({ "url": "about:blank" }))
            .await;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let attached = browser.command("Target.attachToTarget", attach).await;
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page", "Runtime", "Network", "Log"] {
            browser
                .command(&format!("{domain}.enable"), json!({}))
                .await;
        }
        Some(browser)
    }

    /// Sends a command and waits for its result. Events in the meantime are recorded.
    pub(crate) async fn command(&mut self, method: &str, params: Value) -> Value {
        let answer = self.try_command(method, params).await;
        answer.unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    async fn try_command(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.commands += 1;
        let id = self.commands;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() && !method.starts_with("Browser.") {
            message["sessionId"] = json!(self.session);
        }
        self.input
            .write_all(format!("{message}\0").as_bytes())
            .await
            .unwrap();
        loop {
            let mut answer = self.message().await;
            if answer["id"] != json!(id) {
                self.keep(answer).await;
                continue;
            }
            return if answer["error"].is_null() {
                Ok(answer["result"].take())
            } else {
                Err(answer["error"].take())
            };
        }
    }

    async fn message(&mut self) -> Value {
        let mut bytes = Vec::new();
        timeout(TIMEOUT, self.output.read_until(0, &mut bytes))
            .await
            .expect("Chromium answers")
            .unwrap();
        assert_eq!(bytes.pop(), Some(0), "Chromium ended");
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Records an event. A dialog would block everything, so it is recorded and closed.
    async fn keep(&mut self, event: Value) {
        if event["method"] == "Page.javascriptDialogOpening" {
            let close = json!({ "id": 0, "method": "Page.handleJavaScriptDialog", "params": { "accept": true }, "sessionId": self.session });
            self.input
                .write_all(format!("{close}\0").as_bytes())
                .await
                .unwrap();
        }
        self.events.push(event);
    }

    /// Opens a path of the service, and waits for the page.
    pub(crate) async fn go(&mut self, path: &str) {
        let url = format!("{}{path}", self.origin);
        self.command("Page.navigate", json!({ "url": url })).await;
        self.until("document.readyState === 'complete'").await;
    }

    /// The value of an expression in the page.
    pub(crate) async fn eval(&mut self, expression: &str) -> Value {
        self.try_eval(expression)
            .await
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    async fn try_eval(&mut self, expression: &str) -> Result<Value, Value> {
        let params =
            json!({ "expression": expression, "awaitPromise": true, "returnByValue": true });
        let mut result = self.try_command("Runtime.evaluate", params).await?;
        match result["exceptionDetails"].take() {
            Value::Null => Ok(result["result"]["value"].take()),
            exception => Err(exception),
        }
    }

    /// Waits until an expression is true, across page loads.
    pub(crate) async fn until(&mut self, condition: &str) {
        let wait = format!(
            "new Promise((done) => {{ const look = () => {{ let holds = false; try {{ holds = {condition} }} catch {{}} \
             holds ? done(true) : setTimeout(look, 10) }}; look() }})"
        );
        let met = async {
            // A page that is unloaded drops its promises.
            while self.try_eval(&wait).await != Ok(json!(true)) {
                tokio::task::yield_now().await;
            }
        };
        timeout(TIMEOUT, met)
            .await
            .unwrap_or_else(|_| panic!("{condition} never became true"));
    }

    /// Sets the size of the window.
    pub(crate) async fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.command("Emulation.setDeviceMetricsOverride", size)
            .await;
    }

    /// Sets the preferred colour scheme. Motion is disabled, because a fading colour belongs to neither scheme.
    pub(crate) async fn prefer(&mut self, scheme: &str) {
        let features = json!([
            { "name": "prefers-color-scheme", "value": scheme },
            { "name": "prefers-reduced-motion", "value": "reduce" },
        ]);
        self.command(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )
        .await;
    }

    pub(crate) async fn click(&mut self, selector: &str) {
        self.eval(&format!(
            "document.querySelector({}).click()",
            json!(selector)
        ))
        .await;
    }

    pub(crate) async fn fill(&mut self, selector: &str, text: &str) {
        self.eval(&format!(
            "document.querySelector({}).value = {}; null",
            json!(selector),
            json!(text)
        ))
        .await;
    }

    /// Presses a letter key.
    pub(crate) async fn press(&mut self, letter: &str) {
        for kind in ["keyDown", "keyUp"] {
            self.command(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": letter, "text": letter }),
            )
            .await;
        }
    }

    /// Errors, policy violations and dialogs of the page.
    pub(crate) fn complaints(&self) -> Vec<String> {
        let bad = |event: &&Value| match event["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Page.javascriptDialogOpening" => true,
            "Runtime.consoleAPICalled" => event["params"]["type"] == "error",
            "Log.entryAdded" => event["params"]["entry"]["level"] == "error",
            _ => false,
        };
        self.events
            .iter()
            .filter(bad)
            .map(Value::to_string)
            .collect()
    }

    /// Clears the recorded complaints.
    pub(crate) fn clear_complaints(&mut self) {
        self.events.clear();
    }

    /// The URLs that the pages requested.
    pub(crate) fn requests(&self) -> Vec<String> {
        let sent = self
            .events
            .iter()
            .filter(|event| event["method"] == "Network.requestWillBeSent");
        sent.map(|event| {
            event["params"]["request"]["url"]
                .as_str()
                .unwrap()
                .to_owned()
        })
        .collect()
    }

    /// Fails if a page caused a complaint or sent a request to another host.
    pub(crate) fn check(&self) {
        assert_eq!(self.complaints(), [""; 0]);
        let home = format!("{}/", self.origin);
        let abroad = |url: &&String| {
            !url.starts_with(&home) && *url != "about:blank" && !url.starts_with("data:")
        };
        assert_eq!(
            self.requests().iter().filter(abroad).collect::<Vec<_>>(),
            [""; 0]
        );
    }

    /// Lets the page save files in this folder.
    pub(crate) async fn save_to(&mut self, folder: &Path) {
        let params = json!({ "behavior": "allow", "downloadPath": folder, "eventsEnabled": true });
        self.command("Browser.setDownloadBehavior", params).await;
    }

    /// Waits until a file was saved.
    pub(crate) async fn saved(&mut self) {
        loop {
            let is_done = |event: &Value| {
                event["method"] == "Browser.downloadProgress"
                    && event["params"]["state"] == "completed"
            };
            if let Some(at) = self.events.iter().position(is_done) {
                self.events.remove(at);
                return;
            }
            let event = self.message().await;
            self.keep(event).await;
        }
    }

    /// A folder that is deleted with the browser.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
