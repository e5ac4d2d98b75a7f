//! A review as a stream of messages: its progress, then the result.

use axum::response::sse::Event;
use mcp::{Answer, ProgressReporter};
use review::Progress;
use serde_json::Value;

use super::refusal::tool_error;
use super::reply::event;
use crate::Clock;
use crate::error::Problem;
use crate::handlers::reviews::diff_sync::Events;

/// The events of one call.
pub(super) struct Messages {
    pub(super) id: Value,
    pub(super) progress: ProgressReporter,
    pub(super) clock: Clock,
}

impl Events for Messages {
    type Answer = Answer;

    fn progress(&mut self, progress: Progress) -> Option<Event> {
        self.progress.next(progress).as_ref().map(event)
    }

    fn last(&mut self, result: Result<Answer, Problem>, _: &str) -> Event {
        event(&match result {
            Ok(answer) => mcp::result(&self.id, &answer.into()),
            Err(problem) => match tool_error(&problem, self.clock.now()) {
                Some(refusal) => mcp::result(&self.id, &refusal),
                None => mcp::error(
                    Some(&self.id),
                    &mcp::Error::internal(problem.detail.as_ref()),
                ),
            },
        })
    }
}
