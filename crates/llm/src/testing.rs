//! A provider for tests: a real HTTP server on this machine that speaks each protocol and simulates the faults of real
//! providers.
//!
//! Its answers come from a script: a list of turns, the last of which repeats, or a function of the request.

mod answer;
mod fault_kind;
mod script;
mod server;
mod stream;

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(test)]
use futures_util::FutureExt as _;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;

use crate::settings::{Key, ModelSettings, Protocol};
use script::ServerState;

pub use fault_kind::FaultKind;
pub use script::{Request, Script, Turn};

/// Turns of the runtime that transfer bytes between the two ends of a local connection.
#[cfg(test)]
const TURNS: u32 = 500;

/// A provider that follows its script until it is dropped.
pub struct ScriptedProvider {
    base_url: String,
    state: Arc<ServerState>,
    server: JoinHandle<()>,
}

impl ScriptedProvider {
    /// Starts a provider on a free port of this machine.
    ///
    /// # Errors
    /// There is no free port.
    pub async fn start(protocol: Protocol, script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let base_url = format!("http://{}", listener.local_addr()?);
        let state = Arc::new(ServerState {
            protocol,
            script,
            requests: Mutex::default(),
            held: Mutex::default(),
            connections: AtomicUsize::new(0),
            written: AtomicU64::new(0),
            stalled: Notify::new(),
            hung_up: Notify::new(),
        });
        let server = tokio::spawn(server::serve(listener, Arc::clone(&state)));
        Ok(Self {
            base_url,
            state,
            server,
        })
    }

    /// Its address, in the form of the setting.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Settings for it.
    #[must_use]
    pub fn settings(&self) -> ModelSettings {
        ModelSettings {
            api_key: Some(Key::new("key-of-the-test")),
            context_window: 128_000,
            max_output_tokens: 8_192,
            ..ModelSettings::new(self.state.protocol, "scripted", &self.base_url)
        }
    }

    /// The requests so far.
    #[must_use]
    pub fn requests(&self) -> Vec<Request> {
        self.state
            .requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// How long each request was held, from its last byte to the first byte of the answer, with its index in
    /// [`Self::requests`]. The rest of a caller's wait is not caused by the provider.
    #[must_use]
    pub fn held(&self) -> Vec<(usize, Duration)> {
        self.state
            .held
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Connections accepted so far.
    #[must_use]
    pub fn connections(&self) -> usize {
        self.state.connections.load(Ordering::Relaxed)
    }

    /// Bytes of answers that clients have read so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.state.written.load(Ordering::Relaxed)
    }

    /// Awaits `call`, and lets its time limit of at most `limit` expire as soon as this provider holds a request that
    /// it will not answer in full. The clock is moved, so that nothing depends on how long the request took to arrive.
    /// No other call may be in progress.
    #[cfg(test)]
    pub(crate) async fn run_out<T>(&self, limit: Duration, call: impl Future<Output = T>) -> T {
        let mut call = std::pin::pin!(call);
        loop {
            tokio::select! {
                output = &mut call => return output,
                () = self.state.stalled.notified() => {}
            }
            // The call first reads what was written.
            for _ in 0..TURNS {
                if let Some(output) = call.as_mut().now_or_never() {
                    return output;
                }
                tokio::task::yield_now().await;
            }
            tokio::time::pause();
            tokio::time::advance(limit).await;
            tokio::time::resume();
        }
    }

    /// Returns when a caller has disconnected before its answer was complete.
    pub async fn hung_up(&self) {
        self.state.hung_up.notified().await;
    }
}

impl Drop for ScriptedProvider {
    fn drop(&mut self) {
        self.server.abort();
    }
}
