//! Handles the messages of a client in order. Tool calls run concurrently.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use mcp::{Call, Error, Handled, Message, ProgressReporter, Server, refusal};
use serde_json::{Map, Value};
use tokio::io::AsyncRead;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::timeout;

use super::client::Client;
use super::lines::Lines;
use super::progress::Listener;
use super::tools::Tools;

/// Time for calls to finish after the client closed its end.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// A client's session.
pub(super) struct Session {
    server: Server,
    tools: Arc<Tools>,
    client: Client,
    /// `initialize` was called.
    has_begun: bool,
    running: JoinSet<()>,
    /// The running calls, by the JSON of their IDs.
    calls: HashMap<String, AbortHandle>,
}

impl Session {
    pub(super) fn new(server: Server, tools: Tools, client: Client) -> Self {
        let (running, calls) = (JoinSet::new(), HashMap::new());
        Self {
            server,
            tools: Arc::new(tools),
            client,
            has_begun: false,
            running,
            calls,
        }
    }

    /// Handles messages until the input ends. Running calls then have a few seconds to finish.
    pub(super) async fn run(mut self, mut lines: Lines<impl AsyncRead + Unpin>) {
        while let Some(message) = lines.next().await {
            match message {
                Ok(Some(message)) => self.handle(message).await,
                Ok(None) => (),
                Err(invalid) => {
                    self.client
                        .send(&mcp::error(invalid.id.as_ref(), &invalid.error))
                        .await
                }
            }
        }
        let finish = async { while self.running.join_next().await.is_some() {} };
        let _in_time = timeout(LAST_CALLS, finish).await;
        self.running.shutdown().await;
    }

    async fn handle(&mut self, message: Message) {
        match message {
            Message::Request { id, method, params } => {
                tracing::debug!(method, %id, "request");
                if let Some(response) = self.respond(&id, &method, params) {
                    self.client.send(&response).await;
                }
            }
            Message::Notification { method, params } if method == "notifications/cancelled" => {
                self.cancel(params.get("requestId"));
            }
            Message::Notification { .. } => (),
            Message::Response { id, result } => self.client.responded(&id, result),
        }
    }

    /// The response to a request; `None` if a call sends it later.
    fn respond(&mut self, id: &Value, method: &str, params: Map<String, Value>) -> Option<Value> {
        self.has_begun |= method == "initialize";
        // Clients of later protocol versions call `server/discover` first and fall back to `initialize` if it does not
        // exist.
        if !self.has_begun && !matches!(method, "ping" | "server/discover") {
            let error = Error::invalid_request("the session has not begun: send initialize first");
            return Some(mcp::error(Some(id), &error));
        }
        if method == "initialize" {
            let capabilities = params.get("capabilities");
            self.client.set_has_roots(
                capabilities.is_some_and(|capabilities| capabilities.get("roots").is_some()),
            );
        }
        let version = || {
            params
                .get("protocolVersion")
                .and_then(Value::as_str)
                .map(str::to_owned)
        };
        match self.server.handle(method, version) {
            Handled::Result(result) => Some(mcp::result(id, &result)),
            Handled::Error(error) => Some(mcp::error(Some(id), &error)),
            Handled::Call => self
                .call(id, params)
                .err()
                .map(|error| mcp::error(Some(id), &error)),
        }
    }

    /// Starts a call, which sends its result itself.
    fn call(&mut self, id: &Value, params: Map<String, Value>) -> Result<(), Error> {
        let Call {
            name,
            arguments,
            progress_token,
        } = Call::of(params)?;
        let tool = self.server.find(&name)?;
        let mut listener =
            Listener::new(self.client.clone(), ProgressReporter::new(progress_token));
        let (tools, client, request) = (Arc::clone(&self.tools), self.client.clone(), id.clone());
        let call = async move {
            let result = tools.call(tool, arguments, &client, &mut listener).await;
            let result = result.map_or_else(|error| refusal(&error.message), Into::into);
            client.send(&mcp::result(&request, &result)).await;
        };
        while self.running.try_join_next().is_some() {}
        self.calls.retain(|_, call| !call.is_finished());
        self.calls.insert(id.to_string(), self.running.spawn(call));
        Ok(())
    }

    /// Aborts a call, which then gets no response.
    fn cancel(&mut self, id: Option<&Value>) {
        if let Some(call) = id.and_then(|id| self.calls.remove(&id.to_string())) {
            call.abort();
        }
    }
}
