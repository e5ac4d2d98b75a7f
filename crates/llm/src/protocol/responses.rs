//! OpenAI's Responses API.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::common::{self, Answer, Codec, Endpoint};
use super::form::Form;
use super::provider_error;
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
        ("/input", "the prompt"),
        ("/instructions", "the prompt"),
        ("/text/format", "structured_output"),
        ("/stream", "stream"),
        ("/max_output_tokens", "max_output_tokens"),
    ],
};

#[derive(Serialize)]
struct Request<'a> {
    model: &'a str,
    instructions: &'a str,
    input: Vec<Message<'a>>,
    max_output_tokens: u64,
    /// `false`: the prompt contains code that the provider must not store.
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning: Option<Effort>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

#[derive(Serialize)]
struct Effort {
    effort: &'static str,
}

#[derive(Serialize)]
struct Text<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    name: &'a str,
    strict: bool,
    schema: &'a Value,
}

#[derive(Deserialize)]
struct Response {
    status: Option<String>,
    output: Option<Vec<Item>>,
    incomplete_details: Option<Details>,
    #[serde(default)]
    error: Value,
    #[serde(default)]
    usage: Value,
}

#[derive(Deserialize)]
struct Details {
    reason: Option<String>,
}

/// An item of the output: a message, a function call, or something else.
#[derive(Deserialize)]
struct Item {
    content: Option<Vec<Part>>,
    arguments: Option<String>,
    r#type: String,
}

#[derive(Deserialize)]
struct Part {
    r#type: String,
    text: Option<String>,
}

#[derive(Deserialize)]
struct Event {
    r#type: String,
    delta: Option<String>,
    response: Option<Response>,
}

fn endpoint(_: &ModelSettings, _: bool) -> Endpoint {
    Endpoint {
        version: "v1",
        segments: vec!["responses".to_owned()],
        parameter: None,
        headers: Vec::new(),
    }
}

fn encode(settings: &ModelSettings, prompt: &Prompt, form: Form) -> Vec<u8> {
    let schema = &prompt.schema;
    let format = Format {
        r#type: "json_schema",
        name: schema.name,
        strict: true,
        schema: &schema.json,
    };
    let request = Request {
        model: &settings.model,
        instructions: &prompt.system,
        input: common::messages(prompt, None, "assistant", |role, content| Message {
            role,
            content,
        }),
        max_output_tokens: common::output_tokens(settings, prompt),
        store: form.unstored.then_some(false),
        reasoning: settings
            .reasoning
            .filter(|_| form.reasoned)
            .map(|reasoning| Effort {
                effort: reasoning.name(),
            }),
        text: form.structured.then_some(Text { format }),
        stream: form.streamed.then_some(true),
    };
    common::json(&request, &settings.extra_body)
}

fn whole(body: &[u8]) -> Result<Answer, CallError> {
    let response: Response = serde_json::from_slice(body).map_err(|_| CallError::Garbled)?;
    if response.output.is_none() && response.error.is_null() {
        return Err(CallError::Garbled);
    }
    let mut answer = Answer::default();
    end(&mut answer, response)?;
    Ok(answer)
}

/// The last event contains the whole response. Earlier ones are only needed if the stream is cut off.
fn event(answer: &mut Answer, event: Value) -> Result<(), CallError> {
    let Ok(Event {
        r#type,
        delta,
        response,
    }) = serde_json::from_value(event)
    else {
        return Ok(());
    };
    let delta = delta.unwrap_or_default();
    match (r#type.as_str(), response) {
        ("response.output_text.delta", _) => answer.text.push_str(&delta),
        ("response.function_call_arguments.delta", _) => answer.arguments.push_str(&delta),
        ("response.refusal.delta", _) => answer.declined = true,
        ("response.completed" | "response.incomplete" | "response.failed", Some(response)) => {
            end(answer, response)?;
            answer.ended = true;
        }
        _ => {}
    }
    Ok(())
}

/// Adds the complete response.
fn end(answer: &mut Answer, response: Response) -> Result<(), CallError> {
    if let Some(error) = provider_error::of_event(&response.error) {
        return Err(error);
    }
    answer.count(response.usage);
    let reason = response
        .incomplete_details
        .and_then(|details| details.reason);
    answer.reason = reason
        .or(response.status)
        .or_else(|| Some("completed".to_owned()));
    // Streamed text is not added again.
    let nothing_yet = answer.text.is_empty() && answer.arguments.is_empty();
    for item in response.output.into_iter().flatten() {
        let parts = item.content.into_iter().flatten();
        for part in parts.filter(|_| item.r#type == "message") {
            answer.declined |= part.r#type == "refusal";
            let text = part
                .text
                .filter(|_| nothing_yet && part.r#type == "output_text");
            answer.text.push_str(&text.unwrap_or_default());
        }
        if let Some(arguments) = item
            .arguments
            .filter(|_| nothing_yet && item.r#type == "function_call")
        {
            answer.call(&arguments);
        }
    }
    Ok(())
}

fn finish(answer: &Answer) -> Result<Finish, CallError> {
    match answer.reason.as_deref() {
        None | Some("completed") => Ok(Finish::Stop),
        Some("max_output_tokens" | "max_tokens") => Ok(Finish::Length),
        Some("content_filter") => Err(CallError::Declined),
        _ => Err(CallError::Garbled),
    }
}

fn usage(usage: &Value) -> Option<(review::TokenUsage, u64)> {
    let cached = usage
        .pointer("/input_tokens_details/cached_tokens")
        .and_then(Value::as_u64);
    common::reported(
        common::count(usage, "input_tokens")?,
        common::count(usage, "output_tokens")?,
        cached,
    )
}
