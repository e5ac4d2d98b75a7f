//! Sends messages to the client.

use std::collections::HashSet;
use std::time::Duration;

use gen_lsp_types::{Diagnostic, MessageType, PublishDiagnosticsParams};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncWrite, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::frames;
use super::messages::{Refusal, answer};

/// Capacity of the queue of outgoing messages.
const WAITING: usize = 64;
/// Time for the client to read the last messages. A client that closed its end is not waited for.
const LAST_MESSAGES: Duration = Duration::from_secs(5);

/// The client.
pub(super) struct Client {
    write: mpsc::Sender<Vec<u8>>,
    requests: u64,
    /// Logged messages, which are not logged again.
    logged: HashSet<String>,
}

/// The task that writes.
pub(super) struct Written(JoinHandle<()>);

impl Written {
    /// Waits until all messages are written, unless the client has stopped reading.
    pub(super) async fn finish(self) {
        let _nobody_reads = timeout(LAST_MESSAGES, self.0).await;
    }
}

impl Client {
    /// Writes to `output` in a task that ends when all is written and the client is dropped.
    pub(super) fn open(output: impl AsyncWrite + Send + Unpin + 'static) -> (Self, Written) {
        let (write, waiting) = mpsc::channel(WAITING);
        let client = Self {
            write,
            requests: 0,
            logged: HashSet::new(),
        };
        (client, Written(tokio::spawn(write_all(waiting, output))))
    }

    /// Errors are ignored: a client that no longer reads is noticed by the end of its input.
    async fn send(&self, message: &Value) {
        let _gone = self.write.send(frames::encode(&message.to_string())).await;
    }

    pub(super) async fn answer(&self, id: &Value, result: Result<Value, Refusal>) {
        self.send(&answer(id, result)).await;
    }

    async fn notify(&self, method: &str, params: impl Serialize) {
        let params = serde_json::to_value(params).unwrap_or_default();
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }))
            .await;
    }

    /// Sends a request whose response does not matter.
    pub(super) async fn request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let mut request = json!({ "jsonrpc": "2.0", "id": format!("hunkwise-{}", self.requests), "method": method });
        if !params.is_null() {
            request["params"] = params;
        }
        self.send(&request).await;
    }

    /// Replaces the diagnostics of a document.
    pub(super) async fn publish(
        &self,
        uri: &str,
        version: Option<i32>,
        diagnostics: Vec<Diagnostic>,
    ) {
        let params = PublishDiagnosticsParams::new(uri.into(), version, diagnostics);
        self.notify("textDocument/publishDiagnostics", params).await;
    }

    /// Logs a message in the client, each text once.
    pub(super) async fn log(&mut self, message: &str) {
        if self.logged.insert(message.to_owned()) {
            let kind = u32::from(MessageType::Warning);
            self.notify(
                "window/logMessage",
                json!({ "type": kind, "message": message }),
            )
            .await;
        }
    }

    /// Shows a message that requires action by the user. It is repeated only after a different message.
    pub(super) async fn show(&self, message: &str) {
        let kind = u32::from(MessageType::Error);
        self.notify(
            "window/showMessage",
            json!({ "type": kind, "message": message }),
        )
        .await;
    }
}

async fn write_all(mut waiting: mpsc::Receiver<Vec<u8>>, mut output: impl AsyncWrite + Unpin) {
    while let Some(message) = waiting.recv().await {
        if output.write_all(&message).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
