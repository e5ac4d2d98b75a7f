//! OpenAI's chat completions, and whatever is compatible with them (Azure, vLLM, llama.cpp, Ollama, LiteLLM, OpenRouter, …).
//!
//! The protocol has two dialects. OpenAI and Azure take `max_completion_tokens`, refuse `max_tokens` for reasoning
//! models, and refuse every `temperature` but the default there. Compatible servers know `max_tokens` for certain
//! and often nothing else (Ollama, LM Studio, llama.cpp before 2026 and llama-cpp-python ignore
//! `max_completion_tokens`; Mistral refuses it), and sample at a temperature of their own unless told. The host decides which one is spoken first; a
//! gateway that passes on the other's complaint about a parameter is asked again in the other one, see `client.rs`.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::common::{self, Decoded, Endpoint};
use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings};

/// Hosts that speak OpenAI's own dialect: these names, and all below them.
const OWN_HOSTS: &[&str] =
    &["api.openai.com", "openai.azure.com", "services.ai.azure.com", "cognitiveservices.azure.com"];

/// Which parameters are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// `max_completion_tokens`, and the provider's sampling.
    Own,
    /// `max_tokens`, and `temperature: 0`.
    Compatible,
}

impl Dialect {
    /// The dialect that a host most likely speaks.
    pub(crate) fn of(host: &str) -> Self {
        let below = |own: &&str| host.strip_suffix(*own).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        if OWN_HOSTS.iter().any(below) { Self::Own } else { Self::Compatible }
    }
}

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    messages: [Message<'a>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
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

#[derive(Deserialize)]
struct Answer {
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Choice {
    message: Option<ReplyMessage>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct ReplyMessage {
    content: Option<Content>,
    refusal: Option<String>,
}

/// Compatible servers with thinking models answer in parts.
#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    r#type: String,
    text: Option<String>,
}

pub(super) fn endpoint(settings: &ModelSettings) -> Endpoint {
    let bearer = |key: &Key| ("authorization", Key::new(format!("Bearer {}", key.expose())));
    Endpoint {
        version: "v1",
        segments: vec!["chat".to_owned(), "completions".to_owned()],
        headers: settings.api_key.iter().map(bearer).collect(),
    }
}

pub(super) fn encode(settings: &ModelSettings, prompt: &Prompt, dialect: Dialect) -> Vec<u8> {
    let limit = common::output_tokens(settings, prompt);
    let own = dialect == Dialect::Own;
    common::json(&Request {
        model: &settings.model,
        messages: [
            Message { role: "system", content: &prompt.system },
            Message { role: "user", content: &prompt.user },
        ],
        max_completion_tokens: own.then_some(limit),
        max_tokens: (!own).then_some(limit),
        temperature: (!own).then_some(0),
        response_format: settings.structured_output.then_some(ResponseFormat {
            r#type: "json_schema",
            json_schema: JsonSchema { name: prompt.schema.name, strict: true, schema: &prompt.schema.json },
        }),
    })
}

pub(super) fn decode(body: &[u8]) -> Result<Decoded, CallError> {
    let answer: Answer = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    let choice = answer.choices.and_then(|choices| choices.into_iter().next()).ok_or(CallError::Garbled)?;
    let finish = finish(choice.finish_reason.as_deref())?;
    let said = choice.message.ok_or(CallError::Garbled)?;
    if said.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(CallError::Declined);
    }
    common::answer(said.content.map(text).unwrap_or_default(), finish, usage(&answer.usage))
}

/// Some compatible servers give no reason, or one of their own for a normal end.
fn finish(reason: Option<&str>) -> Result<Finish, CallError> {
    match reason {
        Some("length") => Ok(Finish::Length),
        Some("content_filter") => Err(CallError::Declined),
        Some("error" | "tool_calls" | "function_call") => Err(CallError::Garbled),
        _ => Ok(Finish::Stop),
    }
}

fn text(content: Content) -> String {
    match content {
        Content::Text(text) => text,
        Content::Parts(parts) => {
            parts.into_iter().filter(|part| part.r#type == "text").filter_map(|p| p.text).collect()
        }
    }
}

fn usage(usage: &Value) -> Option<review::TokenUsage> {
    common::reported(common::count(usage, "prompt_tokens")?, common::count(usage, "completion_tokens")?)
}
