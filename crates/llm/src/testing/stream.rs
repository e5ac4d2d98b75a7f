//! An answer as a stream of events, in each protocol.

use serde_json::{Value, json};

use crate::settings::Protocol;

/// The events that represent `body`.
pub(super) fn of(protocol: Protocol, body: &Value) -> String {
    let mut events = begin(protocol, body);
    let text = text(protocol, body);
    let mut rest = text;
    for left in (1..=4).rev() {
        let (piece, others) = rest.split_at(rest.floor_char_boundary(rest.len() / left));
        events.extend((!piece.is_empty()).then(|| delta(protocol, piece)));
        rest = others;
    }
    events.extend(end(protocol, body));
    let mut stream: String = events.iter().map(event).collect();
    if protocol == Protocol::OpenAi {
        stream.push_str("data: [DONE]\n\n");
    }
    stream
}

/// A part of the text as an event.
pub(super) fn piece(protocol: Protocol, text: &str) -> String {
    event(&delta(protocol, text))
}

fn event(data: &Value) -> String {
    match data.get("type").and_then(Value::as_str) {
        Some(name) => format!("event: {name}\ndata: {data}\n\n"),
        None => format!(": keep-alive\n\ndata: {data}\r\n\r\n"),
    }
}

fn text(protocol: Protocol, body: &Value) -> &str {
    let pointer = match protocol {
        Protocol::OpenAi => "/choices/0/message/content",
        Protocol::OpenAiResponses => "/output/1/content/0/text",
        Protocol::Anthropic => "/content/0/text",
        Protocol::Gemini => "/candidates/0/content/parts/0/text",
    };
    body.pointer(pointer)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

fn begin(protocol: Protocol, body: &Value) -> Vec<Value> {
    match protocol {
        Protocol::OpenAi => {
            vec![json!({"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]})]
        }
        Protocol::OpenAiResponses => {
            vec![
                json!({"type": "response.created", "response": {"status": "in_progress", "error": null, "output": []}}),
            ]
        }
        Protocol::Anthropic => {
            let mut usage = body.get("usage").cloned().unwrap_or_default();
            if let Some(count) = usage.get_mut("output_tokens") {
                *count = json!(1);
            }
            let message =
                json!({"type": "message", "content": [], "stop_reason": null, "usage": usage});
            vec![
                json!({"type": "message_start", "message": message}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "ping"}),
            ]
        }
        Protocol::Gemini => Vec::new(),
    }
}

fn delta(protocol: Protocol, text: &str) -> Value {
    match protocol {
        Protocol::OpenAi => {
            json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": null}]})
        }
        Protocol::OpenAiResponses => {
            json!({"type": "response.output_text.delta", "output_index": 1, "delta": text})
        }
        Protocol::Anthropic => {
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}})
        }
        Protocol::Gemini => {
            json!({"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]})
        }
    }
}

fn end(protocol: Protocol, body: &Value) -> Vec<Value> {
    match protocol {
        Protocol::OpenAi => {
            let Some(choice) = body.pointer("/choices/0") else {
                return Vec::new();
            };
            let delta = json!({"refusal": choice.pointer("/message/refusal")});
            let reason = choice.get("finish_reason");
            vec![
                json!({"choices": [{"index": 0, "delta": delta, "finish_reason": reason}], "usage": null}),
                json!({"choices": [], "usage": body.get("usage")}),
            ]
        }
        Protocol::OpenAiResponses => {
            let status = body
                .get("status")
                .and_then(Value::as_str)
                .unwrap_or_default();
            vec![json!({"type": format!("response.{status}"), "response": body})]
        }
        Protocol::Anthropic => {
            let delta = json!({"stop_reason": body.get("stop_reason"), "stop_sequence": null});
            let tokens = body.pointer("/usage/output_tokens");
            let usage = tokens.map(|tokens| json!({"output_tokens": tokens}));
            vec![
                json!({"type": "content_block_stop", "index": 0}),
                json!({"type": "message_delta", "delta": delta, "usage": usage}),
                json!({"type": "message_stop"}),
            ]
        }
        Protocol::Gemini => {
            let mut last = body.clone();
            if let Some(candidate) = last
                .pointer_mut("/candidates/0")
                .and_then(Value::as_object_mut)
            {
                candidate.remove("content");
            }
            vec![last]
        }
    }
}
