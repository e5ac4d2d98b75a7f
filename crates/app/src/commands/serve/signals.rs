//! SIGTERM and SIGINT: the first signal starts a graceful shutdown, the second an immediate one.

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing::info;

use crate::logging;
use crate::outcome::Error;

/// The signals received so far. Clones share them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Signals {
    stop: CancellationToken,
    stop_immediately: CancellationToken,
}

impl Signals {
    /// Handles both signals from now on.
    ///
    /// # Errors
    /// The system refuses.
    pub(crate) fn listen() -> Result<Self, Error> {
        let take = |kind| {
            signal(kind)
                .map_err(|error| Error::failure(format!("cannot listen for signals: {error}")))
        };
        let (mut terminate, mut interrupt) = (
            take(SignalKind::terminate())?,
            take(SignalKind::interrupt())?,
        );
        let signals = Self::default();
        let received = signals.clone();
        tokio::spawn(async move {
            either(&mut terminate, &mut interrupt).await;
            info!(target: logging::START, "stopping: requests in flight may finish; a second signal ends them");
            received.stop.cancel();
            either(&mut terminate, &mut interrupt).await;
            received.stop_immediately.cancel();
        });
        Ok(signals)
    }

    /// Resolves at the first signal.
    pub(crate) fn stop(&self) -> impl Future<Output = ()> + Send + 'static {
        self.stop.clone().cancelled_owned()
    }

    /// Resolves at the second signal.
    pub(crate) fn stop_immediately(&self) -> impl Future<Output = ()> + Send + 'static {
        self.stop_immediately.clone().cancelled_owned()
    }

    /// Has the same effect as the first signal.
    pub(crate) fn ask_to_stop(&self) {
        self.stop.cancel();
    }
}

async fn either(terminate: &mut Signal, interrupt: &mut Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}
