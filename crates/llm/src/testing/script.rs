//! The script of a provider, and the requests that it has received.

use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;

use super::fault_kind::FaultKind;
use crate::settings::Protocol;

/// The provider's reaction to one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// The model answers this.
    Say(String),
    /// The model would answer this, but a fault occurs.
    Fail(FaultKind, String),
    /// The model answers this in one piece, even if a stream was requested.
    Plain(String),
    /// The model answers this as a stream, even if none was requested.
    Streamed(String),
    /// A status with an arbitrary body.
    Status(u16, String),
    /// Another turn after a delay.
    After(Duration, Box<Self>),
}

impl Turn {
    /// The model answers this.
    pub fn say(text: impl Into<String>) -> Self {
        Self::Say(text.into())
    }

    /// A fault occurs.
    #[must_use]
    pub fn fail(fault: FaultKind) -> Self {
        Self::Fail(fault, r#"{"findings":[]}"#.to_owned())
    }
}

/// The provider's reactions to its requests.
#[derive(Clone)]
pub struct Script(Arc<Reaction>);

/// The number of a request, from 0, and the request.
type Reaction = dyn Fn(usize, &Request) -> Turn + Send + Sync;

impl Script {
    /// One turn after the other; the last one repeats. Without turns, the model returns an empty answer.
    #[must_use]
    pub fn turns(turns: Vec<Turn>) -> Self {
        let last = turns.last().cloned().unwrap_or_else(|| Turn::say(""));
        Self(Arc::new(move |index, _| {
            turns.get(index).unwrap_or(&last).clone()
        }))
    }

    /// The same turn for every request.
    #[must_use]
    pub fn always(turn: Turn) -> Self {
        Self::turns(vec![turn])
    }

    /// A turn computed from the request.
    pub fn answering(turn: impl Fn(&Request) -> Turn + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |_, request| turn(request)))
    }
}

/// A request that a provider received.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The path with its query.
    pub path: String,
    /// The headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
    /// The instructions.
    pub system: String,
    /// The first message: data and a task.
    pub user: String,
    /// The messages after it: the model's answers and the user's, in turns.
    pub later: Vec<String>,
}

impl Request {
    /// Whether the answer is to be streamed.
    #[must_use]
    pub fn is_streamed(&self) -> bool {
        self.body.get("stream").is_some_and(|stream| stream == true)
            || self.path.ends_with("alt=sse")
    }

    /// The value of a header; `name` is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// State shared by the server and its owner.
pub(super) struct ServerState {
    pub(super) protocol: Protocol,
    pub(super) script: Script,
    pub(super) requests: Mutex<Vec<Request>>,
    pub(super) held: Mutex<Vec<(usize, Duration)>>,
    pub(super) connections: AtomicUsize,
    pub(super) written: AtomicU64,
    pub(super) stalled: Notify,
    pub(super) hung_up: Notify,
}

impl ServerState {
    /// Records the request, and returns its number and its turn.
    pub(super) fn turn(&self, request: Request) -> (usize, Turn) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let at = requests.len();
        let turn = (self.script.0)(at, &request);
        requests.push(request);
        (at, turn)
    }

    /// Records how long a request was held.
    pub(super) fn note(&self, request: usize, held: Duration) {
        self.held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((request, held));
    }
}
