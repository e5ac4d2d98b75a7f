//! Google's Gemini: `generateContent` of the Gemini API, and of Vertex AI if the base URL is its address.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::common::{self, Answer, Codec, Endpoint};
use super::form::Form;
use super::version;
use crate::model::{CallError, Finish, Prompt};
use crate::settings::{ModelSettings, Reasoning};

pub(super) const CODEC: Codec = Codec {
    endpoint,
    key_header: |key| ("x-goog-api-key", key.clone()),
    key_prefixes: &["AIza", "AQ."],
    encode,
    whole,
    event,
    finish,
    usage,
    reserved: &[
        ("/model", "model"),
        ("/contents", "the prompt"),
        ("/systemInstruction", "the prompt"),
        ("/generationConfig/responseMimeType", "structured_output"),
        ("/generationConfig/responseSchema", "structured_output"),
        ("/generationConfig/responseJsonSchema", "structured_output"),
        ("/generationConfig/maxOutputTokens", "max_output_tokens"),
    ],
};

/// The first version of models that take a level instead of a token budget.
const LEVELS: (u32, u32) = (3, 0);

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    system_instruction: Content<'a>,
    contents: Vec<Content<'a>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<ThinkingConfig>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum ThinkingConfig {
    ThinkingBudget(u32),
    ThinkingLevel(&'static str),
}

/// An answer, or an event of one.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Chunk {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    #[serde(default)]
    usage_metadata: Value,
}

/// A server that streams without events sends a list.
#[derive(Deserialize)]
#[serde(untagged)]
enum Whole {
    One(Chunk),
    Parts(Vec<Chunk>),
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
#[serde(rename_all = "camelCase")]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
struct FunctionCall {
    args: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

fn endpoint(settings: &ModelSettings, streamed: bool) -> Endpoint {
    Endpoint {
        version: "v1beta",
        segments: segments(&settings.model, streamed),
        parameter: streamed.then_some(("alt", "sse")),
        headers: Vec::new(),
    }
}

/// A name with a slash is a resource, for example `tunedModels/…`.
fn segments(model: &str, streamed: bool) -> Vec<String> {
    let resource = if model.contains('/') {
        model.to_owned()
    } else {
        format!("models/{model}")
    };
    let method = if streamed {
        "streamGenerateContent"
    } else {
        "generateContent"
    };
    format!("{resource}:{method}")
        .split('/')
        .map(str::to_owned)
        .collect()
}

fn encode(settings: &ModelSettings, prompt: &Prompt, form: Form) -> Vec<u8> {
    let has_levels = version::of(&settings.model).is_none_or(|version| version >= LEVELS);
    let thinking = |reasoning| {
        if has_levels {
            level(reasoning)
        } else {
            budget(reasoning)
        }
    };
    let request = Request {
        system_instruction: Content {
            role: None,
            parts: [Text {
                text: &prompt.system,
            }],
        },
        contents: common::messages(prompt, None, "model", |role, text| Content {
            role: Some(role),
            parts: [Text { text }],
        }),
        generation_config: GenerationConfig {
            max_output_tokens: common::output_tokens(settings, prompt),
            response_mime_type: form.structured.then_some("application/json"),
            response_json_schema: form.structured.then_some(&prompt.schema.json),
            thinking_config: settings.reasoning.filter(|_| form.reasoned).map(thinking),
        },
    };
    common::json(&request, &settings.extra_body)
}

/// Thinking cannot be disabled in these models.
fn level(reasoning: Reasoning) -> ThinkingConfig {
    ThinkingConfig::ThinkingLevel(match reasoning {
        Reasoning::None | Reasoning::Minimal => "MINIMAL",
        Reasoning::Low => "LOW",
        Reasoning::Medium => "MEDIUM",
        Reasoning::High => "HIGH",
    })
}

fn budget(reasoning: Reasoning) -> ThinkingConfig {
    ThinkingConfig::ThinkingBudget(match reasoning {
        Reasoning::None => 0,
        Reasoning::Minimal => 512,
        Reasoning::Low => 2_048,
        Reasoning::Medium => 8_192,
        Reasoning::High => 16_384,
    })
}

fn whole(body: &[u8]) -> Result<Answer, CallError> {
    let whole: Whole = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    let chunks = match whole {
        Whole::One(chunk) => vec![chunk],
        Whole::Parts(chunks) => chunks,
    };
    let mut answer = Answer::default();
    let is_answer = chunks.iter().any(|chunk| !chunk.candidates.is_empty());
    chunks.into_iter().for_each(|chunk| add(&mut answer, chunk));
    if is_answer || answer.declined {
        Ok(answer)
    } else {
        Err(CallError::Garbled)
    }
}

fn event(answer: &mut Answer, event: Value) -> Result<(), CallError> {
    if let Ok(chunk) = serde_json::from_value(event) {
        add(answer, chunk);
    }
    Ok(())
}

fn add(answer: &mut Answer, chunk: Chunk) {
    answer.count(chunk.usage_metadata);
    answer.declined |= chunk
        .prompt_feedback
        .is_some_and(|feedback| feedback.block_reason.is_some());
    let Some(candidate) = chunk.candidates.into_iter().next() else {
        return;
    };
    answer.reason = candidate.finish_reason.or(answer.reason.take());
    let parts = candidate
        .content
        .map(|content_parts| content_parts.parts)
        .unwrap_or_default();
    for part in parts.into_iter().filter(|part| !part.thought) {
        answer.text.push_str(&part.text.unwrap_or_default());
        if let Some(arguments) = part.function_call.and_then(|call| call.args) {
            answer.call(&arguments.to_string());
        }
    }
}

fn finish(answer: &Answer) -> Result<Finish, CallError> {
    match answer.reason.as_deref() {
        None | Some("STOP" | "FINISH_REASON_UNSPECIFIED") => Ok(Finish::Stop),
        Some("MAX_TOKENS") => Ok(Finish::Length),
        Some(
            "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "LANGUAGE",
        ) => Err(CallError::Declined),
        Some(_) => Err(CallError::Garbled),
    }
}

/// Thinking is charged as output. A count of zero is omitted on the wire.
fn usage(usage: &Value) -> Option<(review::TokenUsage, u64)> {
    let count = |name| common::count(usage, name);
    let received = ["candidatesTokenCount", "thoughtsTokenCount"]
        .into_iter()
        .filter_map(count);
    let received = received.fold(0, u64::saturating_add);
    common::reported(
        count("promptTokenCount")?,
        received,
        count("cachedContentTokenCount"),
    )
}
