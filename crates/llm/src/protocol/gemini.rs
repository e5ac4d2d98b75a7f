//! Google's Gemini: `generateContent` of the Gemini API, and of Vertex AI when the base URL leads there.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::common::{self, Decoded, Endpoint};
use crate::model::{CallError, Finish, Prompt};
use crate::settings::ModelSettings;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    system_instruction: Content<'a>,
    contents: [Content<'a>; 1],
    generation_config: GenerationConfig<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: [Text<'a>; 1],
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    #[serde(default)]
    usage_metadata: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Message>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

pub(super) fn endpoint(settings: &ModelSettings) -> Endpoint {
    Endpoint {
        version: "v1beta",
        segments: segments(&settings.model),
        headers: settings.api_key.clone().map(|key| ("x-goog-api-key", key)).into_iter().collect(),
    }
}

/// A name with a slash is a resource of its own, `tunedModels/…` for example.
fn segments(model: &str) -> Vec<String> {
    let resource = if model.contains('/') { model.to_owned() } else { format!("models/{model}") };
    format!("{resource}:generateContent").split('/').map(str::to_owned).collect()
}

pub(super) fn encode(settings: &ModelSettings, prompt: &Prompt) -> Vec<u8> {
    let structured = settings.structured_output;
    common::json(&Request {
        system_instruction: Content { role: None, parts: [Text { text: &prompt.system }] },
        contents: [Content { role: Some("user"), parts: [Text { text: &prompt.user }] }],
        generation_config: GenerationConfig {
            max_output_tokens: common::output_tokens(settings, prompt),
            response_mime_type: structured.then_some("application/json"),
            response_json_schema: structured.then_some(&prompt.schema.json),
        },
    })
}

pub(super) fn decode(body: &[u8]) -> Result<Decoded, CallError> {
    let answer: Answer = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    let blocked = answer.prompt_feedback.is_some_and(|feedback| feedback.block_reason.is_some());
    let nothing = if blocked { CallError::Declined } else { CallError::Garbled };
    let candidate = answer.candidates.into_iter().next().ok_or(nothing)?;
    let finish = finish(candidate.finish_reason.as_deref())?;
    let parts = candidate.content.map(|said| said.parts).unwrap_or_default();
    let said = parts.into_iter().filter(|part| !part.thought).filter_map(|part| part.text);
    common::answer(said.collect(), finish, usage(&answer.usage_metadata))
}

fn finish(reason: Option<&str>) -> Result<Finish, CallError> {
    match reason {
        None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => Ok(Finish::Stop),
        Some("MAX_TOKENS") => Ok(Finish::Length),
        Some("SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE") => {
            Err(CallError::Declined)
        }
        Some(_) => Err(CallError::Garbled),
    }
}

/// Thoughts are paid for as output. A count of zero is left out on the wire.
fn usage(usage: &Value) -> Option<review::TokenUsage> {
    let count = |name| common::count(usage, name);
    let received = ["candidatesTokenCount", "thoughtsTokenCount"].into_iter().filter_map(count);
    common::reported(count("promptTokenCount")?, received.fold(0, u64::saturating_add))
}
