//! Anthropic's messages, with structured output as `output_config.format` (no beta header needed).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::common::{self, Decoded, Endpoint};
use crate::model::{CallError, Finish, Prompt};
use crate::settings::{Key, ModelSettings};

/// The version of the protocol that is spoken here.
const VERSION: &str = "2023-06-01";

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    max_tokens: u64,
    system: &'a str,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    schema: &'a Value,
}

#[derive(Deserialize)]
struct Answer {
    content: Vec<Block>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Block {
    r#type: String,
    text: Option<String>,
}

pub(super) fn endpoint(settings: &ModelSettings) -> Endpoint {
    let mut headers = vec![("anthropic-version", Key::new(VERSION))];
    headers.extend(settings.api_key.clone().map(|key| ("x-api-key", key)));
    Endpoint { version: "v1", segments: vec!["messages".to_owned()], headers }
}

pub(super) fn encode(settings: &ModelSettings, prompt: &Prompt) -> Vec<u8> {
    let format = Format { r#type: "json_schema", schema: &prompt.schema.json };
    common::json(&Request {
        model: &settings.model,
        max_tokens: common::output_tokens(settings, prompt),
        system: &prompt.system,
        messages: [Message { role: "user", content: &prompt.user }],
        output_config: settings.structured_output.then_some(OutputConfig { format }),
    })
}

pub(super) fn decode(body: &[u8]) -> Result<Decoded, CallError> {
    let answer: Answer = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    let finish = finish(answer.stop_reason.as_deref())?;
    let said = answer.content.into_iter().filter(|block| block.r#type == "text");
    common::answer(said.filter_map(|block| block.text).collect(), finish, usage(&answer.usage))
}

fn finish(reason: Option<&str>) -> Result<Finish, CallError> {
    match reason {
        None | Some("end_turn" | "stop_sequence") => Ok(Finish::Stop),
        Some("max_tokens" | "model_context_window_exceeded") => Ok(Finish::Length),
        Some("refusal") => Err(CallError::Declined),
        Some(_) => Err(CallError::Garbled),
    }
}

/// What was read from or written to the provider's cache was sent all the same.
fn usage(usage: &Value) -> Option<review::TokenUsage> {
    let count = |name| common::count(usage, name);
    let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"].into_iter().filter_map(count);
    let sent = cached.fold(count("input_tokens")?, u64::saturating_add);
    common::reported(sent, count("output_tokens")?)
}
