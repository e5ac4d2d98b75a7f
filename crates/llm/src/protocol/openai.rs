//! OpenAI's chat completions, and compatible servers (Azure, vLLM, llama.cpp, Ollama, LiteLLM, OpenRouter, …).
//!
//! The protocol has two dialects. OpenAI and Azure use `max_completion_tokens`, reject `max_tokens` for reasoning
//! models, and reject every non-default `temperature` there. Compatible servers support `max_tokens` and often nothing
//! else (Ollama, LM Studio, llama.cpp before 2026 and llama-cpp-python ignore `max_completion_tokens`; Mistral rejects
//! it), and sample at their own default temperature. The host determines the first dialect. If a gateway passes on the
//! other's complaint about a parameter, the call is repeated in the other dialect, see `client.rs`.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::common::{self, Answer, Codec, Endpoint};
use super::form::{Dialect, Form};
use crate::model::{CallError, Finish, Prompt};
use crate::settings::ModelSettings;

pub(super) const CODEC: Codec = Codec {
    endpoint,
    key_header: common::bearer,
    key_prefixes: &[],
    encode,
    whole,
    event,
    finish,
    usage,
    reserved: &[
        ("/model", "model"),
        ("/messages", "the prompt"),
        ("/response_format", "structured_output"),
        ("/stream", "stream"),
        ("/max_tokens", "max_output_tokens"),
        ("/max_completion_tokens", "max_output_tokens"),
    ],
};

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct ResponseFormat<'a> {
    r#type: &'static str,
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

/// Without it, a stream contains no token counts.
#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// An answer, or an event of one.
#[derive(Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Choice {
    message: Option<ReplyMessage>,
    delta: Option<ReplyMessage>,
    finish_reason: Option<String>,
}

/// A message of the model, or a part of it.
#[derive(Deserialize)]
struct ReplyMessage {
    content: Option<Content>,
    refusal: Option<String>,
    /// A model that reasons may have its whole answer here, if the server mistakes it for reasoning.
    reasoning_content: Option<Value>,
    reasoning: Option<Value>,
    tool_calls: Option<Vec<ToolCall>>,
    function_call: Option<Function>,
}

#[derive(Deserialize)]
struct ToolCall {
    function: Option<Function>,
}

#[derive(Deserialize)]
struct Function {
    /// A string, or the object itself.
    arguments: Option<Value>,
}

/// Compatible servers with reasoning models answer in parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
    /// The answer itself, instead of its text.
    Object(Map<String, Value>),
}

#[derive(Deserialize)]
struct Part {
    r#type: Option<String>,
    text: Option<String>,
}

fn endpoint(_: &ModelSettings, _: bool) -> Endpoint {
    let segments = vec!["chat".to_owned(), "completions".to_owned()];
    Endpoint {
        version: "v1",
        segments,
        parameter: None,
        headers: Vec::new(),
    }
}

fn encode(settings: &ModelSettings, prompt: &Prompt, form: Form) -> Vec<u8> {
    let limit = common::output_tokens(settings, prompt);
    let own = form.dialect == Dialect::Own;
    let request = Request {
        model: &settings.model,
        messages: common::messages(prompt, Some("system"), "assistant", |role, content| {
            Message { role, content }
        }),
        max_completion_tokens: own.then_some(limit),
        max_tokens: (!own).then_some(limit),
        temperature: (!own && form.sampled).then_some(0),
        reasoning_effort: settings
            .reasoning
            .filter(|_| form.reasoned)
            .map(|reasoning| reasoning.name()),
        response_format: form.structured.then_some(ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema {
                name: prompt.schema.name,
                strict: true,
                schema: &prompt.schema.json,
            },
        }),
        stream: form.streamed.then_some(true),
        stream_options: (form.streamed && form.counted).then_some(StreamOptions {
            include_usage: true,
        }),
    };
    common::json(&request, &settings.extra_body)
}

fn whole(body: &[u8]) -> Result<Answer, CallError> {
    let chunk: Chunk = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    let has_message = |choice: &Choice| choice.message.is_some() || choice.delta.is_some();
    let mut answer = Answer::default();
    if !chunk
        .choices
        .as_ref()
        .and_then(|choices| choices.first())
        .is_some_and(has_message)
    {
        return Err(CallError::Garbled);
    }
    add(&mut answer, chunk);
    Ok(answer)
}

fn event(answer: &mut Answer, event: Value) -> Result<(), CallError> {
    if let Ok(chunk) = serde_json::from_value(event) {
        add(answer, chunk);
    }
    Ok(())
}

fn add(answer: &mut Answer, chunk: Chunk) {
    answer.count(chunk.usage);
    let Some(choice) = chunk.choices.and_then(|choices| choices.into_iter().next()) else {
        return;
    };
    answer.reason = choice.finish_reason.or(answer.reason.take());
    let Some(message) = choice.delta.or(choice.message) else {
        return;
    };
    answer.declined |= message.refusal.is_some_and(|refusal| !refusal.is_empty());
    answer
        .text
        .push_str(&message.content.map(text).unwrap_or_default());
    // Some servers send both.
    let thought = message.reasoning_content.or(message.reasoning);
    if let Some(Value::String(thought)) = thought {
        answer.reasoning.push_str(&thought);
    }
    let calls = message
        .tool_calls
        .into_iter()
        .flatten()
        .filter_map(|call| call.function);
    for function in calls.chain(message.function_call) {
        // In a stream, each event contains a piece.
        match function.arguments {
            Some(Value::String(piece)) => answer.arguments.push_str(&piece),
            Some(whole @ Value::Object(_)) => answer.call(&whole.to_string()),
            _ => {}
        }
    }
}

/// Some compatible servers return no reason, or a non-standard one for a normal end.
fn finish(answer: &Answer) -> Result<Finish, CallError> {
    match answer.reason.as_deref() {
        Some("length") => Ok(Finish::Length),
        Some("content_filter") => Err(CallError::Declined),
        Some("error") => Err(CallError::Garbled),
        _ => Ok(Finish::Stop),
    }
}

fn text(content: Content) -> String {
    match content {
        Content::Text(text) => text,
        Content::Parts(parts) => parts
            .into_iter()
            .filter(|part| matches!(part.r#type.as_deref(), None | Some("text" | "output_text")))
            .filter_map(|p| p.text)
            .collect(),
        Content::Object(answer) => Value::Object(answer).to_string(),
    }
}

fn usage(usage: &Value) -> Option<(review::TokenUsage, u64)> {
    let cached = usage
        .pointer("/prompt_tokens_details/cached_tokens")
        .and_then(Value::as_u64);
    common::reported(
        common::count(usage, "prompt_tokens")?,
        common::count(usage, "completion_tokens")?,
        cached,
    )
}
