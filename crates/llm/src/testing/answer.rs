//! The bytes of an answer, in each protocol.

use serde_json::{Value, json};

use super::fault_kind::FaultKind;
use super::stream;
use crate::settings::Protocol;

/// How the bytes are sent.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Delivery {
    /// In one piece.
    Whole,
    /// No bytes, while the connection stays open.
    Silence,
    /// No bytes, and the connection is closed.
    Cut,
    /// Half of the bytes, while the connection stays open.
    HalfThenSilence,
    /// Half of the bytes, and the connection is closed.
    HalfThenCut,
    /// A few bytes at a time.
    Trickle,
    /// Endlessly repeated.
    Endless,
}

pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
    pub(super) delivery: Delivery,
}

impl Answer {
    pub(super) fn new(status: u16, body: impl Into<String>) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: body.into(),
            delivery: Delivery::Whole,
        }
    }

    fn delivered(self, delivery: Delivery) -> Self {
        Self { delivery, ..self }
    }

    fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.push((name, value.into()));
        self
    }
}

/// Why the model stops, independent of the protocol.
#[derive(Clone, Copy)]
enum End {
    Stop,
    Length,
    Refusal,
    Filter,
}

/// A model's answer, complete or as a stream.
pub(super) fn reply(protocol: Protocol, text: &str, streamed: bool) -> Answer {
    answered(protocol, &success(protocol, text, End::Stop), streamed)
}

fn answered(protocol: Protocol, body: &Value, streamed: bool) -> Answer {
    Answer::new(
        200,
        if streamed {
            stream::of(protocol, body)
        } else {
            body.to_string()
        },
    )
}

pub(super) fn failed(protocol: Protocol, fault: FaultKind, text: &str, streamed: bool) -> Answer {
    let reply = || reply(protocol, text, streamed);
    let ended = |text, end| answered(protocol, &success(protocol, text, end), streamed);
    let error = |status, kind, message| {
        Answer::new(status, failure(protocol, status, kind, message).to_string())
    };
    match fault {
        FaultKind::RateLimited => error(429, Kind::Rate, "Too many requests."),
        FaultKind::RateLimitedFor(seconds) => {
            error(429, Kind::Rate, "Too many requests.").with("retry-after", seconds.to_string())
        }
        FaultKind::QuotaSpent => error(429, Kind::Spent, "You exceeded your current quota."),
        FaultKind::ServerError => error(500, Kind::Server, "Something went wrong."),
        FaultKind::Overloaded => error(529, Kind::Overloaded, "Overloaded."),
        FaultKind::HangBeforeAnswer => reply().delivered(Delivery::Silence),
        FaultKind::HangInsideAnswer => reply().delivered(Delivery::HalfThenSilence),
        FaultKind::CutBeforeAnswer => reply().delivered(Delivery::Cut),
        FaultKind::CutInsideAnswer => reply().delivered(Delivery::HalfThenCut),
        FaultKind::HalfJson => Answer::new(200, half(&reply().body)),
        FaultKind::ProseAroundText => ended(
            &format!("Here you are:\n```json\n{text}\n```\nAnything else?"),
            End::Stop,
        ),
        FaultKind::Length => ended(half(text), End::Length),
        FaultKind::NoChoices => answered(protocol, &nothing(protocol), streamed),
        FaultKind::Refusal => ended("", End::Refusal),
        FaultKind::ContentFilter => ended("", End::Filter),
        FaultKind::WrongModel => error(404, Kind::Model, "The model does not exist."),
        FaultKind::WrongKey => wrong_key(protocol),
        FaultKind::TooLong => too_long(protocol),
        FaultKind::SlowTokens => reply().delivered(Delivery::Trickle),
        FaultKind::Huge if streamed => {
            Answer::new(200, stream::piece(protocol, &"x".repeat(16 * 1024)))
                .delivered(Delivery::Endless)
        }
        FaultKind::Huge => reply().delivered(Delivery::Endless),
        FaultKind::HugeError => {
            error(500, Kind::Server, "Something went wrong.").delivered(Delivery::Endless)
        }
        FaultKind::NoUsage => answered(protocol, &without_usage(protocol, text), streamed),
        FaultKind::Redirect => {
            Answer::new(307, "").with("location", "http://127.0.0.1:9/elsewhere")
        }
    }
}

/// Half of a text, cut on a character boundary.
pub(super) fn half(text: &str) -> &str {
    text.get(..text.floor_char_boundary(text.len() / 2))
        .unwrap_or_default()
}

fn success(protocol: Protocol, text: &str, end: End) -> Value {
    match protocol {
        Protocol::OpenAi => {
            let reason = match end {
                End::Stop | End::Refusal => "stop",
                End::Length => "length",
                End::Filter => "content_filter",
            };
            let refusal = matches!(end, End::Refusal).then_some("I cannot help with that.");
            json!({"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted-2026-01-01",
                "choices": [{"index": 0, "logprobs": null, "finish_reason": reason,
                    "message": {"role": "assistant", "content": text, "refusal": refusal, "annotations": []}}],
                "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
                    "prompt_tokens_details": {"cached_tokens": 20}}})
        }
        Protocol::OpenAiResponses => responses(text, end),
        Protocol::Anthropic => {
            let reason = match end {
                End::Stop => "end_turn",
                End::Length => "max_tokens",
                End::Refusal | End::Filter => "refusal",
            };
            json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted",
                "content": [{"type": "text", "text": text}], "stop_reason": reason, "stop_sequence": null,
                "usage": {"input_tokens": 70, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 20,
                    "output_tokens": 20, "service_tier": "standard"}})
        }
        Protocol::Gemini => gemini(text, end),
    }
}

fn responses(text: &str, end: End) -> Value {
    let (status, details) = match end {
        End::Stop | End::Refusal => ("completed", Value::Null),
        End::Length => ("incomplete", json!({"reason": "max_output_tokens"})),
        End::Filter => ("incomplete", json!({"reason": "content_filter"})),
    };
    let part = match end {
        End::Refusal => json!({"type": "refusal", "refusal": "I cannot help with that."}),
        _ => json!({"type": "output_text", "text": text, "annotations": []}),
    };
    json!({"id": "resp_1", "object": "response", "status": status, "error": null, "incomplete_details": details,
        "output": [{"type": "reasoning", "id": "rs_1", "summary": []},
            {"type": "message", "id": "msg_1", "role": "assistant", "status": status, "content": [part]}],
        "usage": {"input_tokens": 100, "input_tokens_details": {"cached_tokens": 20}, "output_tokens": 20,
            "output_tokens_details": {"reasoning_tokens": 5}, "total_tokens": 120}})
}

fn gemini(text: &str, end: End) -> Value {
    let usage = json!({"promptTokenCount": 100, "cachedContentTokenCount": 20, "candidatesTokenCount": 15, "thoughtsTokenCount": 5,
        "totalTokenCount": 120});
    let reason = match end {
        End::Filter => {
            return json!({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage});
        }
        End::Stop => "STOP",
        End::Length => "MAX_TOKENS",
        End::Refusal => "SAFETY",
    };
    json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": reason, "index": 0}],
        "usageMetadata": usage, "modelVersion": "scripted"})
}

fn without_usage(protocol: Protocol, text: &str) -> Value {
    let mut body = success(protocol, text, End::Stop);
    if let Some(body) = body.as_object_mut() {
        body.remove("usage");
        body.remove("usageMetadata");
    }
    body
}

fn nothing(protocol: Protocol) -> Value {
    match protocol {
        Protocol::OpenAi => json!({"object": "chat.completion", "choices": []}),
        Protocol::OpenAiResponses => {
            json!({"object": "response", "status": "completed", "output": []})
        }
        Protocol::Anthropic => json!({"type": "message", "content": [], "stop_reason": "end_turn"}),
        Protocol::Gemini => json!({"candidates": []}),
    }
}

/// The kind of failure, independent of the protocol.
#[derive(Clone, Copy)]
enum Kind {
    Rate,
    Spent,
    Server,
    Overloaded,
    Model,
    Request,
    Key,
}

fn failure(protocol: Protocol, status: u16, kind: Kind, message: &str) -> Value {
    match protocol {
        Protocol::OpenAi | Protocol::OpenAiResponses => {
            let code = match kind {
                Kind::Rate => "rate_limit_exceeded",
                Kind::Spent => "insufficient_quota",
                Kind::Server | Kind::Overloaded => "server_error",
                Kind::Model => "model_not_found",
                Kind::Request => "context_length_exceeded",
                Kind::Key => "invalid_api_key",
            };
            json!({"error": {"message": message, "type": code, "param": null, "code": code}})
        }
        Protocol::Anthropic => {
            let kind = match kind {
                Kind::Rate | Kind::Spent => "rate_limit_error",
                Kind::Server => "api_error",
                Kind::Overloaded => "overloaded_error",
                Kind::Model => "not_found_error",
                Kind::Request => "invalid_request_error",
                Kind::Key => "authentication_error",
            };
            json!({"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"})
        }
        Protocol::Gemini => {
            let state = match kind {
                Kind::Rate | Kind::Spent => "RESOURCE_EXHAUSTED",
                Kind::Server => "INTERNAL",
                Kind::Overloaded => "UNAVAILABLE",
                Kind::Model => "NOT_FOUND",
                Kind::Request | Kind::Key => "INVALID_ARGUMENT",
            };
            json!({"error": {"code": status, "message": message, "status": state}})
        }
    }
}

fn wrong_key(protocol: Protocol) -> Answer {
    let status = if protocol == Protocol::Gemini {
        400
    } else {
        401
    };
    let mut body = failure(protocol, status, Kind::Key, "The key is not valid.");
    if protocol == Protocol::Gemini
        && let Some(error) = body.get_mut("error").and_then(Value::as_object_mut)
    {
        error.insert(
            "details".to_owned(),
            json!([{"reason": "API_KEY_INVALID", "domain": "googleapis.com"}]),
        );
    }
    Answer::new(status, body.to_string())
}

fn too_long(protocol: Protocol) -> Answer {
    let message = match protocol {
        Protocol::OpenAi | Protocol::OpenAiResponses => "Please reduce the length of the messages.",
        Protocol::Anthropic => "prompt is too long: 208656 tokens > 200000 maximum",
        Protocol::Gemini => {
            "The input token count (9) exceeds the maximum number of tokens allowed (8)."
        }
    };
    Answer::new(
        400,
        failure(protocol, 400, Kind::Request, message).to_string(),
    )
}
