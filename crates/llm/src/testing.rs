//! A provider for tests: a real HTTP server on this machine that speaks each protocol, and has the faults of real ones.
//!
//! What it answers is its script: a list of turns, the last of which repeats, or a function of the request.

mod answer;
mod server;

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::settings::{Key, ModelSettings, Protocol};

/// A way in which a provider fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// 429 without a word on how long to wait.
    RateLimited,
    /// 429 with `Retry-After` in seconds.
    RateLimitedFor(u64),
    /// 429 because the money is used up.
    QuotaSpent,
    /// 500.
    ServerError,
    /// 529.
    Overloaded,
    /// The request is read, and nothing happens.
    HangBeforeAnswer,
    /// The answer begins, and does not go on.
    HangInsideAnswer,
    /// The connection ends instead of an answer.
    CutBeforeAnswer,
    /// The connection ends inside the answer.
    CutInsideAnswer,
    /// The answer ends, as announced, in the middle of its JSON.
    HalfJson,
    /// The model's text stands between other text.
    ProseAroundText,
    /// The model's text is cut where the room for it ends.
    Length,
    /// An answer without a choice.
    NoChoices,
    /// The model declines.
    Refusal,
    /// A filter of the provider stops the answer.
    ContentFilter,
    /// The model is not known.
    WrongModel,
    /// The key is not known.
    WrongKey,
    /// The prompt is too long for the model.
    TooLong,
    /// The answer comes, a few bytes at a time, for longer than any call may take.
    SlowTokens,
    /// An answer of 50 MB.
    Huge,
    /// An error of 50 MB.
    HugeError,
    /// Nobody counted the tokens.
    NoUsage,
    /// A redirect to another address.
    Redirect,
}

impl Fault {
    /// Every fault once.
    pub const ALL: [Self; 23] = [
        Self::RateLimited,
        Self::RateLimitedFor(2),
        Self::QuotaSpent,
        Self::ServerError,
        Self::Overloaded,
        Self::HangBeforeAnswer,
        Self::HangInsideAnswer,
        Self::CutBeforeAnswer,
        Self::CutInsideAnswer,
        Self::HalfJson,
        Self::ProseAroundText,
        Self::Length,
        Self::NoChoices,
        Self::Refusal,
        Self::ContentFilter,
        Self::WrongModel,
        Self::WrongKey,
        Self::TooLong,
        Self::SlowTokens,
        Self::Huge,
        Self::HugeError,
        Self::NoUsage,
        Self::Redirect,
    ];
}

/// What a provider does with one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Turn {
    /// The model says this.
    Say(String),
    /// The model would say this, but something goes wrong.
    Fail(Fault, String),
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
    pub fn fail(fault: Fault) -> Self {
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
        Self(Arc::new(move |index, _| turns.get(index).unwrap_or(&last).clone()))
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
    /// What the model is told to do.
    pub system: String,
    /// The data it works on.
    pub user: String,
}

impl Request {
    /// The value of a header; `name` is in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A provider that does what its script says, until it is dropped.
pub struct ScriptedProvider {
    base_url: String,
    stage: Arc<Stage>,
    server: JoinHandle<()>,
}

/// What the server and its owner share.
struct Stage {
    protocol: Protocol,
    script: Script,
    requests: Mutex<Vec<Request>>,
    held: Mutex<Vec<(usize, Duration)>>,
    connections: AtomicUsize,
    written: AtomicU64,
    hung_up: Notify,
}

impl Stage {
    /// Notes the request and looks up what to do with it; says which one it is.
    fn turn(&self, request: Request) -> (usize, Turn) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let at = requests.len();
        let turn = (self.script.0)(at, &request);
        requests.push(request);
        (at, turn)
    }

    /// Notes how long a request was held.
    fn note(&self, request: usize, held: Duration) {
        self.held.lock().unwrap_or_else(PoisonError::into_inner).push((request, held));
    }
}

impl ScriptedProvider {
    /// Starts a provider on a free port of this machine.
    ///
    /// # Errors
    /// There is no free port.
    pub async fn start(protocol: Protocol, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        let stage = Arc::new(Stage {
            protocol,
            script,
            requests: Mutex::default(),
            held: Mutex::default(),
            connections: AtomicUsize::new(0),
            written: AtomicU64::new(0),
            hung_up: Notify::new(),
        });
        let server = tokio::spawn(server::serve(listener, Arc::clone(&stage)));
        Ok(Self { base_url, stage, server })
    }

    /// Where it is, as the settings want it.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Settings that lead to it.
    #[must_use]
    pub fn settings(&self) -> ModelSettings {
        ModelSettings {
            protocol: self.stage.protocol,
            model: "scripted".to_owned(),
            base_url: self.base_url.clone(),
            api_key: Some(Key::new("key-of-the-test")),
            headers: Vec::new(),
            proxy: None,
            ca_pem: None,
            structured_output: true,
            context_window: 128_000,
            max_output_tokens: 8_192,
            price_input_per_million: 0.0,
            price_output_per_million: 0.0,
        }
    }

    /// The requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.stage.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How long requests were held, from their last byte to the first of their answer, by their place in
    /// [`Self::requests`]: what a caller waits beyond that is not the provider's doing.
    #[must_use]
    pub fn held(&self) -> Vec<(usize, Duration)> {
        self.stage.held.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Connections accepted so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.stage.connections.load(Ordering::Relaxed)
    }

    /// Bytes of answers that were taken from it so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.stage.written.load(Ordering::Relaxed)
    }

    /// Returns when a caller has gone away before its answer was complete.
    pub async fn hung_up(&self) {
        self.stage.hung_up.notified().await;
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}
