//! Progress, for clients that asked for it.

use review::Progress;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};
use server::mcp::progress_message;
use tokio::sync::watch;

/// Who wants to know how far a call is.
pub(super) struct Listener {
    peer: Peer<RoleServer>,
    /// `None`: nobody.
    token: Option<ProgressToken>,
}

/// Where a review says how far it is. The latest counts, so a slow client holds up nothing.
pub(super) type Sender = watch::Sender<Option<Progress>>;

impl Listener {
    pub(super) fn of(context: &RequestContext<RoleServer>) -> Self {
        Self { peer: context.peer.clone(), token: context.meta.get_progress_token() }
    }

    /// Does work that reports to its sender, and tells the client meanwhile.
    pub(super) async fn beside<T>(&self, work: impl AsyncFnOnce(Sender) -> T) -> T {
        let (sender, seen) = watch::channel(None);
        let (result, ()) = tokio::join!(work(sender), self.tell(seen));
        result
    }

    /// Tells until the sender is gone.
    async fn tell(&self, mut seen: watch::Receiver<Option<Progress>>) {
        let Some(token) = &self.token else { return };
        let mut reported = 0;
        while seen.changed().await.is_ok() {
            let now = *seen.borrow_and_update();
            // The protocol wants each to be more than the one before.
            let Some(now) = now.filter(|now| now.chunks_done > reported) else { continue };
            reported = now.chunks_done;
            if self.peer.notify_progress(notification(token.clone(), now)).await.is_err() {
                return;
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "no diff has so many parts")]
fn notification(token: ProgressToken, now: Progress) -> ProgressNotificationParam {
    let message = progress_message(now);
    ProgressNotificationParam::new(token, now.chunks_done as f64)
        .with_total(now.chunks_total as f64)
        .with_message(message)
}
