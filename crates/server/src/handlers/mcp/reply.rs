//! The response to a request.

use std::convert::Infallible;

use axum::Json;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde_json::Value;

use crate::extract::MediaType;

/// The request's ID and the form of its response.
pub(super) struct Reply {
    pub(super) id: Value,
    /// The form of a response that is complete.
    pub(super) form: MediaType,
    /// Whether the client accepts a stream.
    pub(super) streams: bool,
}

impl Reply {
    /// The response with a tool's result.
    pub(super) fn tool(&self, result: &Value) -> Response {
        self.send(&mcp::result(&self.id, result))
    }

    /// The response with a problem instead of a result.
    pub(super) fn error(&self, error: &mcp::Error) -> Response {
        self.send(&mcp::error(Some(&self.id), error))
    }

    pub(super) fn send(&self, message: &Value) -> Response {
        match self.form {
            MediaType::Json => Json(message).into_response(),
            MediaType::EventStream => {
                Sse::new(stream::iter([Ok::<_, Infallible>(event(message))])).into_response()
            }
        }
    }
}

/// A message as an event.
pub(super) fn event(message: &Value) -> Event {
    // A JSON value always serializes.
    Event::default()
        .event("message")
        .json_data(message)
        .unwrap_or_default()
}
