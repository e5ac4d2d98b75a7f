//! A review as a stream of messages: its progress, then the answer.

use axum::response::sse::Event;
use review::Progress;
use rmcp::model::ErrorCode;
use serde_json::{Value, json};

use super::refusal::tool_error;
use super::reply::{error_of, event, plain, result_of};
use crate::Clock;
use crate::error::Problem;
use crate::handlers::reviews::diff_sync::Events;
use crate::mcp::{Answer, progress_message};

/// The events of one call.
pub(super) struct Messages {
    pub(super) id: Value,
    /// `None`: the client did not ask for progress.
    pub(super) token: Option<Value>,
    /// Chunks that the client knows to be done.
    pub(super) reported: usize,
    pub(super) clock: Clock,
}

impl Events for Messages {
    type Answer = Answer;

    /// The protocol wants each progress to be more than the one before.
    fn progress(&mut self, progress: Progress) -> Option<Event> {
        let token = self.token.as_ref().filter(|_| progress.chunks_done > self.reported)?;
        self.reported = progress.chunks_done;
        let message = progress_message(progress);
        let params = json!({
            "progressToken": token,
            "progress": progress.chunks_done,
            "total": progress.chunks_total,
            "message": message,
        });
        Some(event(&json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": params })))
    }

    fn last(&mut self, result: Result<Answer, Problem>, _: &str) -> Event {
        event(&match result {
            Ok(answer) => result_of(&self.id, &plain(answer.into())),
            Err(problem) => match tool_error(&problem, self.clock.now()) {
                Some(refusal) => result_of(&self.id, &plain(refusal)),
                None => error_of(&self.id, ErrorCode::INTERNAL_ERROR, &problem.detail),
            },
        })
    }
}
