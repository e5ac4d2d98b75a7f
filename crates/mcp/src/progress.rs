//! Progress of a review, for clients that asked for it.

use review::Progress;
use review::output::counted;
use serde_json::{Value, json};

use crate::message::notification;

/// Makes the progress notifications of one call.
#[derive(Debug)]
pub struct ProgressReporter {
    /// `None`: the client did not ask for progress.
    token: Option<Value>,
    /// The progress that the client knows of.
    reported: usize,
}

impl ProgressReporter {
    /// A reporter for the call's `progressToken`.
    #[must_use]
    pub const fn new(token: Option<Value>) -> Self {
        Self { token, reported: 0 }
    }

    /// Whether the client asked for progress.
    #[must_use]
    pub const fn is_wanted(&self) -> bool {
        self.token.is_some()
    }

    /// The notification to send now, if any: the protocol requires that progress increases.
    pub fn next(&mut self, now: Progress) -> Option<Value> {
        let token = self.token.as_ref().filter(|_| now.chunks_done > self.reported)?;
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
