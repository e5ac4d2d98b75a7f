//! The answer to a request.

use std::convert::Infallible;

use axum::Json;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use rmcp::model::{CallToolResult, ErrorCode};
use serde::Serialize;
use serde_json::{Value, json};

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
    /// The answer with a result.
    pub(super) fn result(&self, result: &impl Serialize) -> Response {
        self.send(&result_of(&self.id, result))
    }

    /// The answer that there is no result.
    pub(super) fn error(&self, code: ErrorCode, message: &str) -> Response {
        self.send(&error_of(&self.id, code, message))
    }

    /// The answer with the result of a tool.
    pub(super) fn tool(&self, result: CallToolResult) -> Response {
        self.result(&plain(result))
    }

    fn send(&self, message: &Value) -> Response {
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

pub(super) fn result_of(id: &Value, result: &impl Serialize) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "result": result })
}

pub(super) fn error_of(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

/// A tool's result as the versions have it that are spoken: later ones say its type.
pub(super) fn plain(mut result: CallToolResult) -> CallToolResult {
    result.result_type = None;
    result
}
