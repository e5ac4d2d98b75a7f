//! What a provider does with its requests, and what it keeps of them.

use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;

use super::fault_kind::FaultKind;
use crate::settings::Protocol;

/// What a provider does with one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// The model says this.
    Say(String),
    /// The model would say this, but something goes wrong.
    Fail(FaultKind, String),
    /// The model says this in one piece, even if a stream was asked for.
    Plain(String),
    /// The model says this as a stream, even if none was asked for.
    Streamed(String),
    /// A status with a body of any kind.
    Status(u16, String),
    /// The turn after that time.
    After(Duration, Box<Self>),
}

impl Turn {
    /// The model says this.
    pub fn say(text: impl Into<String>) -> Self {
        Self::Say(text.into())
    }

    /// Something goes wrong.
    #[must_use]
    pub fn fail(fault: FaultKind) -> Self {
        Self::Fail(fault, r#"{"findings":[]}"#.to_owned())
    }
}

/// What a provider does with its requests.
#[derive(Clone)]
pub struct Script(Arc<Direction>);

/// The number of a request, from 0, and the request.
type Direction = dyn Fn(usize, &Request) -> Turn + Send + Sync;

impl Script {
    /// One turn after the other; the last one repeats. Without any, the model says nothing.
    #[must_use]
    pub fn turns(turns: Vec<Turn>) -> Self {
        let last = turns.last().cloned().unwrap_or_else(|| Turn::say(""));
        Self(Arc::new(move |index, _| {
            turns.get(index).unwrap_or(&last).clone()
        }))
    }

    /// Always the same.
    #[must_use]
    pub fn always(turn: Turn) -> Self {
        Self::turns(vec![turn])
    }

    /// A turn for each request.
    pub fn answering(turn: impl Fn(&Request) -> Turn + Send + Sync + 'static) -> Self {
        Self(Arc::new(move |_, request| turn(request)))
    }
}

/// A request that a provider got.
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
    /// The data it works on.
    pub user: String,
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

/// What the server and its owner share.
pub(super) struct Stage {
    pub(super) protocol: Protocol,
    pub(super) script: Script,
    pub(super) requests: Mutex<Vec<Request>>,
    pub(super) held: Mutex<Vec<(usize, Duration)>>,
    pub(super) connections: AtomicUsize,
    pub(super) written: AtomicU64,
    pub(super) stalled: Notify,
    pub(super) hung_up: Notify,
}

impl Stage {
    /// Notes the request and looks up what to do with it; says which one it is.
    pub(super) fn turn(&self, request: Request) -> (usize, Turn) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let at = requests.len();
        let turn = (self.script.0)(at, &request);
        requests.push(request);
        (at, turn)
    }

    /// Notes how long a request was held.
    pub(super) fn note(&self, request: usize, held: Duration) {
        self.held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push((request, held));
    }
}
