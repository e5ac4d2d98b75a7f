//! Anthropic's messages, with structured output as `output_config.format` (no beta header needed).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::common::{self, Answer, Codec, Endpoint};
use super::form::Form;
use super::version;
use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings, Reasoning};

pub(super) const CODEC: Codec = Codec {
    endpoint,
    key_header: |key| ("x-api-key", key.clone()),
    key_prefixes: &["sk-ant-api"],
    encode,
    whole,
    event,
    finish,
    usage,
    reserved: &[
        ("/model", "model"),
        ("/messages", "the prompt"),
        ("/system", "the prompt"),
        ("/output_config/format", "structured_output"),
        ("/output_format", "structured_output"),
        ("/stream", "stream"),
        ("/max_tokens", "max_output_tokens"),
    ],
};

/// The supported version of the protocol.
const VERSION: &str = "2023-06-01";
/// The first version of models that decide themselves how much to think. From then on a budget is rejected.
const ADAPTIVE: (u32, u32) = (4, 6);
/// The smallest budget that the protocol allows.
const MIN_BUDGET: u64 = 1_024;

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    max_tokens: u64,
    system: [Cached<'a>; 1],
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking: Option<Thinking>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
}

/// A text at whose end the provider's cache is marked. The instructions are the same in every call, and a message of the
/// user is sent again in the next turn of its conversation.
#[derive(Serialize)]
struct Cached<'a> {
    r#type: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<CacheControl>,
}

impl<'a> Cached<'a> {
    fn new(text: &'a str, form: Form) -> Self {
        Self {
            r#type: "text",
            text,
            cache_control: form.cached.then_some(CacheControl {
                r#type: "ephemeral",
            }),
        }
    }
}

#[derive(Serialize)]
struct CacheControl {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Content<'a>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content<'a> {
    Text(&'a str),
    Cached([Cached<'a>; 1]),
}

#[derive(Serialize, Clone, Copy)]
struct Thinking {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget_tokens: Option<u64>,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format<'a>>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    schema: &'a Value,
}

#[derive(Deserialize)]
struct WholeMessage {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Block {
    r#type: String,
    text: Option<String>,
    input: Option<Value>,
}

#[derive(Deserialize)]
struct Event {
    r#type: String,
    message: Option<Start>,
    delta: Option<Delta>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Start {
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Delta {
    text: Option<String>,
    partial_json: Option<String>,
    stop_reason: Option<String>,
}

fn endpoint(_: &ModelSettings, _: bool) -> Endpoint {
    let headers = vec![("anthropic-version", Key::new(VERSION))];
    Endpoint {
        version: "v1",
        segments: vec!["messages".to_owned()],
        parameter: None,
        headers,
    }
}

fn encode(settings: &ModelSettings, prompt: &Prompt, form: Form) -> Vec<u8> {
    let max_tokens = common::output_tokens(settings, prompt);
    let (thinking, effort) =
        settings
            .reasoning
            .filter(|_| form.reasoned)
            .map_or((None, None), |reasoning| {
                let is_adaptive =
                    version::of(&settings.model).is_none_or(|version| version >= ADAPTIVE);
                if is_adaptive {
                    adaptive(reasoning)
                } else {
                    (Some(budget(reasoning, max_tokens)), None)
                }
            });
    let format = form.structured.then_some(Format {
        r#type: "json_schema",
        schema: &prompt.schema.json,
    });
    let request = Request {
        model: &settings.model,
        max_tokens,
        system: [Cached::new(&prompt.system, form)],
        messages: messages(prompt, form),
        thinking,
        output_config: (format.is_some() || effort.is_some())
            .then_some(OutputConfig { effort, format }),
        stream: form.streamed.then_some(true),
    };
    common::json(&request, &settings.extra_body)
}

/// The first and the last message of the user are marked: the protocol allows four marks.
fn messages(prompt: &Prompt, form: Form) -> Vec<Message<'_>> {
    let mut messages = common::messages(prompt, None, "assistant", |role, text| Message {
        role,
        content: Content::Text(text),
    });
    if let Some(first) = messages.first_mut() {
        first.content = Content::Cached([Cached::new(&prompt.user, form)]);
    }
    if let Some(last) = messages.last_mut() {
        last.content = Content::Cached([Cached::new(prompt.last(), form)]);
    }
    messages
}

const OFF: Thinking = Thinking {
    r#type: "disabled",
    budget_tokens: None,
};

fn adaptive(reasoning: Reasoning) -> (Option<Thinking>, Option<&'static str>) {
    let effort = match reasoning {
        Reasoning::None => return (Some(OFF), None),
        Reasoning::Minimal | Reasoning::Low => "low",
        Reasoning::Medium => "medium",
        Reasoning::High => "high",
    };
    (
        Some(Thinking {
            r#type: "adaptive",
            budget_tokens: None,
        }),
        Some(effort),
    )
}

/// Thinking and the answer share the token limit, so thinking gets at most half of it.
fn budget(reasoning: Reasoning, max_tokens: u64) -> Thinking {
    let tokens = match reasoning {
        Reasoning::None => 0,
        Reasoning::Minimal => MIN_BUDGET,
        Reasoning::Low => 4_096,
        Reasoning::Medium => 8_192,
        Reasoning::High => 16_384,
    };
    let tokens = tokens.min(max_tokens / 2);
    if tokens < MIN_BUDGET {
        OFF
    } else {
        Thinking {
            r#type: "enabled",
            budget_tokens: Some(tokens),
        }
    }
}

fn whole(body: &[u8]) -> Result<Answer, CallError> {
    let message: WholeMessage = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    let mut answer = Answer {
        reason: message.stop_reason,
        usage: message.usage,
        ..Answer::default()
    };
    for block in message.content {
        match (block.r#type.as_str(), block.text, block.input) {
            ("text", Some(text), _) => answer.text.push_str(&text),
            ("tool_use", _, Some(input)) => answer.call(&input.to_string()),
            _ => {}
        }
    }
    Ok(answer)
}

fn event(answer: &mut Answer, event: Value) -> Result<(), CallError> {
    let Ok(Event {
        r#type,
        message,
        delta,
        usage,
    }) = serde_json::from_value(event)
    else {
        return Ok(());
    };
    answer.count(usage);
    if let Some(start) = message {
        answer.count(start.usage);
    }
    if let Some(delta) = delta {
        answer.text.push_str(&delta.text.unwrap_or_default());
        answer
            .arguments
            .push_str(&delta.partial_json.unwrap_or_default());
        answer.reason = delta.stop_reason.or(answer.reason.take());
    }
    answer.ended |= r#type == "message_stop";
    Ok(())
}

fn finish(answer: &Answer) -> Result<Finish, CallError> {
    match answer.reason.as_deref() {
        None | Some("end_turn" | "stop_sequence" | "tool_use") => Ok(Finish::Stop),
        Some("max_tokens" | "model_context_window_exceeded") => Ok(Finish::Length),
        Some("refusal") => Err(CallError::Declined),
        Some(_) => Err(CallError::Garbled),
    }
}

/// Tokens read from or written to the provider's cache were also sent.
fn usage(usage: &Value) -> Option<(review::TokenUsage, u64)> {
    let count = |name| common::count(usage, name);
    let read = count("cache_read_input_tokens");
    let cached = [count("cache_creation_input_tokens"), read]
        .into_iter()
        .flatten();
    let sent = cached.fold(count("input_tokens")?, u64::saturating_add);
    common::reported(sent, count("output_tokens")?, read)
}
