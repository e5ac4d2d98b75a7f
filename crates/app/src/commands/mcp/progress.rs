//! Sends the progress of a review to the client.

use mcp::ProgressReporter;
use review::Progress;
use tokio::sync::watch;

use super::client::Client;

/// The receiver of a call's progress.
pub(super) struct Listener {
    client: Client,
    reporter: ProgressReporter,
}

/// Sends the progress of a review. Only the latest value is kept, so a slow client causes no delay.
pub(super) type Sender = watch::Sender<Option<Progress>>;

impl Listener {
    pub(super) const fn new(client: Client, reporter: ProgressReporter) -> Self {
        Self { client, reporter }
    }

    /// Runs work that reports its progress, and notifies the client meanwhile.
    pub(super) async fn during<T>(&mut self, work: impl AsyncFnOnce(Sender) -> T) -> T {
        let (sender, seen) = watch::channel(None);
        let (result, ()) = tokio::join!(work(sender), self.notify(seen));
        result
    }

    /// Notifies the client until the sender is dropped.
    async fn notify(&mut self, mut seen: watch::Receiver<Option<Progress>>) {
        while self.reporter.is_wanted() && seen.changed().await.is_ok() {
            let now = *seen.borrow_and_update();
            if let Some(notification) = now.and_then(|now| self.reporter.next(now)) {
                self.client.send(&notification).await;
            }
        }
    }
}
