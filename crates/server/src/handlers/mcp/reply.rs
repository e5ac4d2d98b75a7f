//! The answer to a request.

use std::convert::Infallible;

use axum::Json;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::Value;

use crate::extract::MediaType;

/// Which request is answered, and how.
pub(super) struct Reply {
    pub(super) id: Value,
    /// The form of an answer that is complete at once.
    pub(super) form: MediaType,
    /// Whether the client takes a stream.
    pub(super) streams: bool,
}

impl Reply {
    /// The response with the result of a tool.
    pub(super) fn tool(&self, result: &Value) -> Response {
        self.send(&mcp::result(&self.id, result))
    }

    /// The response that there is no result.
    pub(super) fn error(&self, error: &mcp::Error) -> Response {
        self.send(&mcp::error(Some(&self.id), error))
    }

    pub(super) fn send(&self, message: &Value) -> Response {
        match self.form {
            MediaType::Json => Json(message).into_response(),
            MediaType::EventStream => Sse::new(stream::iter([Ok::<_, Infallible>(event(message))])).into_response(),
        }
    }
}

/// A message as an event.
pub(super) fn event(message: &Value) -> Event {
    // A JSON value always serializes.
    Event::default().event("message").json_data(message).unwrap_or_default()
}
