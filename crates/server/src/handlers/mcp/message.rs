//! The body of a request: one JSON-RPC 2.0 message.

use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use mcp::VERSIONS;
use serde_json::Value;
use store::Scope;

use super::metadata;
use crate::error::{Code, FieldError, Problem};
use crate::extract::json::{self, Fields, Hold};
use crate::extract::{Input, MediaType, accepts, no_parameters, origin};
use crate::{Limits, Settings, State};

const VERSION: &str = "mcp-protocol-version";
/// The message, its parameters, the arguments of a tool, and the objects of their lists.
const DEPTH: u8 = 4;

/// A message, and the form of response that its sender accepts.
pub(crate) struct Envelope {
    pub(super) message: Message,
    pub(super) hold: Hold,
    /// Whether the response may be a stream.
    pub(super) streams: bool,
}

/// The messages that a client may send.
pub(crate) enum Message {
    Request(Request),
    /// A notification or a response, which needs no response.
    Other,
}

/// A request of the protocol.
pub(crate) struct Request {
    /// A string or a whole number.
    pub(super) id: Value,
    pub(super) method: String,
    pub(super) params: Fields,
}

impl Input for Envelope {
    const OFFERS: &'static [MediaType] = &[MediaType::Json, MediaType::EventStream];

    fn challenge(parts: &Parts, settings: &Settings) -> Option<String> {
        settings.sign_in.as_ref()?;
        let address = origin::address(parts, settings)?;
        Some(format!(
            "resource_metadata=\"{address}{}\", scope=\"{}\"",
            metadata::OF_MCP,
            Scope::ReviewsWrite
        ))
    }

    async fn read(parts: &Parts, body: Body, state: &State) -> Result<Self, Problem> {
        check_origin(parts, state.settings())?;
        let mut faults = no_parameters(parts);
        faults.extend(version_fault(&parts.headers));
        let (message, hold) = json::read_to_depth(DEPTH, parts, body, state, faults, parse).await?;
        Ok(Self {
            message,
            hold,
            streams: accepts(&parts.headers, MediaType::EventStream),
        })
    }
}

/// A page of another origin may have used a name that resolves to this machine (DNS rebinding).
fn check_origin(parts: &Parts, settings: &Settings) -> Result<(), Problem> {
    let is_allowed = |origin: &[u8]| {
        settings
            .cors_origins
            .iter()
            .any(|allowed| allowed.as_bytes() == origin)
    };
    let mut origins = parts.headers.get_all(header::ORIGIN).iter();
    if origins.all(|origin| is_allowed(origin.as_bytes())) || origin::is_own(parts, settings) {
        return Ok(());
    }
    let detail =
        "Pages of this origin may not call the service. Its operator can allow them (`[cors]`).";
    Err(Problem::new(Code::OriginNotAllowed, detail))
}

fn version_fault(headers: &HeaderMap) -> Option<FieldError> {
    let given = headers.get(VERSION)?;
    if VERSIONS
        .iter()
        .any(|known| known.as_bytes() == given.as_bytes())
    {
        return None;
    }
    let detail = format!("unsupported version; supported: {}", VERSIONS.join(", "));
    Some(FieldError::header("MCP-Protocol-Version", detail))
}

fn parse(mut fields: Fields, _: &Limits) -> Result<Message, Problem> {
    if fields
        .required_text("jsonrpc")
        .is_some_and(|version| version != "2.0")
    {
        fields.fault("jsonrpc", "must be `2.0`");
    }
    if fields.has("result") || fields.has("error") {
        return fields.finish_open(Some(Message::Other));
    }
    let is_notification = !fields.has("id");
    let (id, method) = (fields.optional_name("id"), fields.required_text("method"));
    let params = fields.object("params");
    let request = id
        .zip(method)
        .map(|(id, method)| Message::Request(Request { id, method, params }));
    fields.finish_open(if is_notification {
        Some(Message::Other)
    } else {
        request
    })
}
