//! Progress notifications of a review, for clients that requested them.

use review::Progress;
use review::output::counted;
use serde_json::{Value, json};

use crate::message::notification;

/// Makes the progress notifications of one call.
#[derive(Debug)]
pub struct ProgressReporter {
    /// `None` if the client did not request progress.
    token: Option<Value>,
    /// The last progress sent to the client.
    reported: usize,
}

impl ProgressReporter {
    /// A reporter for the call's `progressToken`.
    #[must_use]
    pub const fn new(token: Option<Value>) -> Self {
        Self { token, reported: 0 }
    }

    /// Whether the client requested progress.
    #[must_use]
    pub const fn is_wanted(&self) -> bool {
        self.token.is_some()
    }

    /// The notification to send now, if any. The protocol requires that progress increases.
    pub fn next(&mut self, now: Progress) -> Option<Value> {
        let token = self
            .token
            .as_ref()
            .filter(|_| now.chunks_done > self.reported)?;
        self.reported = now.chunks_done;
        let params = json!({
            "progressToken": token,
            "progress": now.chunks_done,
            "total": now.chunks_total,
            "message": format!("{} so far", counted(now.findings, "finding")),
        });
        Some(notification("notifications/progress", &params))
    }
}
