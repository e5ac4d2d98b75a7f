//! The client of a session: sends messages and requests to it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::lines::encode;
use crate::outcome::Error;

/// Timeout for responses of the client.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The client. Clones share it.
#[derive(Clone)]
pub(super) struct Client(Arc<Shared>);

struct Shared {
    lines: mpsc::Sender<String>,
    has_roots: AtomicBool,
    asked: Mutex<Asked>,
}

/// Pending requests to the client.
#[derive(Default)]
struct Asked {
    last_id: u64,
    waiting: HashMap<u64, oneshot::Sender<Result<Value, Value>>>,
}

impl Client {
    pub(super) fn new(lines: mpsc::Sender<String>) -> Self {
        Self(Arc::new(Shared {
            lines,
            has_roots: AtomicBool::new(false),
            asked: Mutex::default(),
        }))
    }

    /// Sends a message, waiting while the client is slow to read. Messages to a disconnected client are dropped.
    pub(super) async fn send(&self, message: &Value) {
        let _gone = self.0.lines.send(encode(message)).await;
    }

    /// Sends a request, and returns the result.
    ///
    /// # Errors
    /// The client does not respond in time, or with an error.
    pub(super) async fn request(&self, method: &str) -> Result<Value, Error> {
        let (sender, response) = oneshot::channel();
        let id = self.asked().enter(sender);
        let exchange = async {
            self.send(&mcp::request(id, method)).await;
            response.await
        };
        match timeout(TIMEOUT, exchange).await {
            Ok(Ok(Ok(result))) => Ok(result),
            Ok(Ok(Err(error))) => Err(Error::failure(format!(
                "the client answered {method} with an error: {error}"
            ))),
            Ok(Err(_)) | Err(_) => Err(Error::failure(format!(
                "the client did not answer {method}"
            ))),
        }
    }

    /// Passes a response of the client to the request that waits for it.
    pub(super) fn responded(&self, id: &Value, result: Result<Value, Value>) {
        let waiting = id.as_u64().and_then(|id| self.asked().waiting.remove(&id));
        if let Some(waiting) = waiting {
            let _cancelled = waiting.send(result);
        }
    }

    /// Whether the client declared the roots capability.
    pub(super) fn has_roots(&self) -> bool {
        self.0.has_roots.load(Ordering::Relaxed)
    }

    pub(super) fn set_has_roots(&self, has_roots: bool) {
        self.0.has_roots.store(has_roots, Ordering::Relaxed);
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Asked {
    fn enter(&mut self, sender: oneshot::Sender<Result<Value, Value>>) -> u64 {
        // Removes requests of calls that were cancelled or timed out.
        self.waiting.retain(|_, waiting| !waiting.is_closed());
        self.last_id += 1;
        self.waiting.insert(self.last_id, sender);
        self.last_id
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use serde_json::{Value, json};
    use tokio::sync::mpsc;

    use super::Client;

    #[tokio::test]
    async fn a_response_reaches_its_request_and_no_other() {
        let (sender, mut lines) = mpsc::channel(8);
        let client = Client::new(sender);
        let (mut first, mut second) = (
            Box::pin(client.request("roots/list")),
            Box::pin(client.request("roots/list")),
        );
        assert!((&mut first).now_or_never().is_none() && (&mut second).now_or_never().is_none());
        let sent: Vec<Value> = std::iter::from_fn(|| lines.try_recv().ok())
            .map(|line| serde_json::from_str(&line).unwrap())
            .collect();
        let ids: Vec<&Value> = sent.iter().map(|request| &request["id"]).collect();
        assert_eq!(ids.len(), 2);
        client.responded(&json!(77), Ok(json!("unexpected")));
        client.responded(&json!("x"), Ok(json!("unexpected")));
        client.responded(ids[1], Ok(json!("second")));
        client.responded(ids[0], Err(json!({ "code": -32601 })));
        assert_eq!(second.await.unwrap(), "second");
        assert!(first.await.unwrap_err().message.contains("-32601"));
    }

    #[tokio::test]
    async fn dropped_requests_are_removed() {
        let (sender, _lines) = mpsc::channel(200);
        let client = Client::new(sender);
        for _ in 0..100 {
            assert!(client.request("roots/list").now_or_never().is_none());
        }
        assert!(client.asked().waiting.len() <= 1);
    }
}
