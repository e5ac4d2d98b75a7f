//! Interprets unsuccessful answers. Gateways pass on each other's errors, so the same rules serve all protocols.
//!
//! The status decides where it is unambiguous. Otherwise the machine-readable codes do. Providers without a code for a
//! prompt that is too long are recognized by their message. No part of the body leaves this module, only the kind of
//! error.
//!
//! | provider | error for a prompt that is too long |
//! |---|---|
//! | OpenAI, Azure, llama-cpp-python | 400 `context_length_exceeded`, `string_above_max_length`; 429 "Request too large for …" |
//! | Anthropic | 400 "prompt is too long: …", "… exceed context limit"; 413 `request_too_large` |
//! | Gemini | 400 `INVALID_ARGUMENT` "The input token count (…) exceeds …" |
//! | vLLM | 400 "… maximum context length is …", "… the model's context length is only …" |
//! | llama.cpp | 400 `exceed_context_size_error` |

use std::time::Duration;

use serde_json::Value;

use super::form::{Dialect, Objection};
use crate::model::CallError;

const TOO_LONG: &[&str] = &[
    "context_length_exceeded", "string_above_max_length", "exceed_context_size_error",
    "request_too_large",
];
const TOO_LONG_SENTENCES: &[&str] = &[
    "context length", "context size", "context window", "contextwindowexceeded",
    "exceed context limit", "input token count", "prompt is too long", "request too large for",
];
const FILTERED: &[&str] = &[
    "content_filter", "content_policy_violation", "invalid_prompt", "ResponsibleAIPolicyViolation",
];
/// Waiting does not help when the credit is used up.
const SPENT: &[&str] = &[
    "insufficient_quota", "billing_not_active", "billing_hard_limit_reached",
];
/// Gemini's 400 for a wrong key.
const WRONG_KEY: &[&str] = &["API_KEY_INVALID"];
/// Words by which a provider rejects a parameter as such, and not its value.
const UNSUPPORTED: &[&str] = &[
    "support", "deprecated", "not permitted", "not allowed", "extra_forbidden", "extra inputs",
    "unrecognized", "unexpected", "unknown", "not implemented", "cannot find field",
    "no such parameter",
];
/// Optional parameters, each with the objection to it. More specific ones come first.
const PARAMETERS: &[(&[&str], Objection)] = &[
    (
        &["stream_options", "include_usage"],
        Objection::StreamOptions,
    ),
    (&["temperature"], Objection::Temperature),
    (&["max_completion_tokens"], Objection::Dialect(Dialect::Own)),
    (&["max_tokens"], Objection::Dialect(Dialect::Compatible)),
    (
        &[
            "reasoning_effort", "reasoning.effort", "output_config.effort", "thinking_config",
            "thinkingconfig", "thinking_level", "thinking_budget", "'thinking'", "`thinking`",
            "thinking:", "'reasoning'", "`reasoning`",
        ],
        Objection::Reasoning,
    ),
    (&["cache_control"], Objection::CacheMarks),
    (
        &["'store'", "`store`", "\"store\"", "parameter: store"],
        Objection::Store,
    ),
];
/// The parameters of structured output.
const FORMAT: &[&str] = &[
    "response_format", "json_schema", "text.format", "output_config", "output_format",
    "responsejsonschema", "response_json_schema", "responseschema", "response_schema",
    "responsemimetype", "response_mime_type", "structured output",
];
/// Streaming. OpenAI only lets verified organizations stream some models.
const STREAMING: &[&str] = &["stream"];
const NO_STREAMING: &[&str] = &[
    "support", "verified", "not permitted", "not allowed", "unrecognized", "extra_forbidden",
    "unknown parameter", "unknown field", "unknown name",
];
/// Maximum entries of `detail` that are read.
const DETAILS: usize = 20;
/// The codes of errors inside a stream, where there is no status, and the corresponding status.
const CODES: &[(&str, u16)] = &[
    ("overloaded_error", 529),
    ("rate_limit_error", 429),
    ("rate_limit_exceeded", 429),
    ("authentication_error", 401),
    ("permission_error", 403),
    ("not_found_error", 404),
    ("invalid_request_error", 400),
    ("UNAVAILABLE", 503),
    ("RESOURCE_EXHAUSTED", 429),
    ("INVALID_ARGUMENT", 400),
];

/// The meaning of an unsuccessful status. `wait` is the retry delay in the headers.
pub(crate) fn read(status: u16, wait: Option<Duration>, body: &[u8]) -> CallError {
    ProviderError::of(&parse(body)).meaning(status, wait)
}

/// The error in a successful response: gateways have already sent the status when their provider fails.
pub(crate) fn hidden(body: &[u8]) -> Option<CallError> {
    let body = parse(body);
    Some(ProviderError::of(&body).meaning(status_in(error(&body))?, None))
}

/// The error that an event of a stream reports.
pub(crate) fn in_event(event: &Value) -> Option<CallError> {
    if event.get("type").and_then(Value::as_str) == Some("error") {
        return of_event(event.get("error").unwrap_or(event));
    }
    event.get("error").and_then(of_event)
}

/// The meaning of an error inside a stream. An unknown code counts as a failure of the provider.
pub(crate) fn of_event(error: &Value) -> Option<CallError> {
    if error.is_null() {
        return None;
    }
    let read = ProviderError::of(error);
    let named = || {
        CODES
            .iter()
            .find(|(code, _)| read.has(&[*code]))
            .map(|(_, status)| *status)
    };
    Some(read.meaning(status_in(error).or_else(named).unwrap_or(500), None))
}

/// The status of a failure, if the error contains it as a number.
fn status_in(error: &Value) -> Option<u16> {
    let code = u16::try_from(error.get("code")?.as_u64()?).ok()?;
    (400..600).contains(&code).then_some(code)
}

/// The part of a request's form that a provider rejected. Invalid content does not count. Gateways report such a refusal
/// under any status, so for all but the usual ones the answer must also state that the parameter is not supported.
pub(crate) fn objection(status: u16, body: &[u8]) -> Option<Objection> {
    let body = parse(body);
    let complaint = ProviderError::of(&body);
    let is_usual = matches!(status, 400 | 422);
    let meaning = complaint.meaning(status, None);
    let is_other = matches!(
        meaning,
        CallError::TooLong | CallError::Declined | CallError::RateLimited(_)
    ) || complaint.has(SPENT)
        || complaint.has(WRONG_KEY);
    if is_other {
        return None;
    }
    let parameter = error(&body)
        .get("param")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_lowercase();
    let names = |words: &[&str]| {
        words
            .iter()
            .any(|word| complaint.sentence.contains(word) || parameter.contains(word))
    };
    let is_unsupported = names(UNSUPPORTED);
    let known = PARAMETERS.iter().find(|(words, _)| names(words));
    match known {
        Some((_, objection)) if is_unsupported => Some(*objection),
        _ if names(FORMAT) && (is_usual || is_unsupported) => Some(Objection::Format),
        _ if names(STREAMING) && names(NO_STREAMING) => Some(Objection::Streaming),
        _ => None,
    }
}

fn parse(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap_or_default()
}

/// Most providers put it into `error`, some into a list of one, and some directly into the body.
fn error(body: &Value) -> &Value {
    let body = body.get(0).unwrap_or(body);
    body.get("error").unwrap_or(body)
}

struct ProviderError<'a> {
    codes: Vec<&'a str>,
    sentence: String,
    wait: Option<Duration>,
}

impl<'a> ProviderError<'a> {
    fn of(body: &'a Value) -> Self {
        let error = error(body);
        let details = || {
            error
                .get("details")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
        };
        let code = |name| error.get(name).and_then(Value::as_str);
        let inner = error.pointer("/innererror/code").and_then(Value::as_str);
        let reasons = details().filter_map(|detail| detail.get("reason").and_then(Value::as_str));
        let sentence = sentence(error);
        Self {
            codes: ["code", "type", "status"]
                .into_iter()
                .filter_map(code)
                .chain(inner)
                .chain(reasons)
                .collect(),
            sentence,
            wait: details().find_map(delay),
        }
    }

    fn meaning(&self, status: u16, wait: Option<Duration>) -> CallError {
        match status {
            401 | 403 => CallError::Key(status),
            300..=399 | 404 | 410 => CallError::Unknown(status),
            413 => CallError::TooLong,
            _ if self.has(WRONG_KEY) => CallError::Key(status),
            _ if self.has(TOO_LONG) || self.mentions(TOO_LONG_SENTENCES) => CallError::TooLong,
            _ if self.has(FILTERED) => CallError::Declined,
            429 if self.has(SPENT) => CallError::Refused(status),
            429 => CallError::RateLimited(wait.or(self.wait)),
            408 | 409 | 500..=599 => CallError::Unavailable(status, wait.or(self.wait)),
            _ => CallError::Refused(status),
        }
    }

    fn has(&self, codes: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(code))
    }

    fn mentions(&self, sentences: &[&str]) -> bool {
        sentences
            .iter()
            .any(|sentence| self.sentence.contains(sentence))
    }
}

/// The message of an error, in lower case. FastAPI and Mistral list the rejected parameters in `detail`, some of them inside
/// `message`.
fn sentence(error: &Value) -> String {
    let text = error.as_str().or_else(|| error.get("message")?.as_str());
    let mut sentence = text.unwrap_or_default().to_lowercase();
    let details = [error.get("detail"), error.pointer("/message/detail")];
    for detail in details.into_iter().flatten() {
        match detail {
            Value::String(text) => sentence.push_str(&text.to_lowercase()),
            Value::Array(entries) => entries
                .iter()
                .take(DETAILS)
                .for_each(|entry| sentence.push_str(&entry_sentence(entry))),
            _ => {}
        }
    }
    sentence
}

/// An entry of `detail`: its type, the path of the parameter and the message. The rejected value is left out.
fn entry_sentence(entry: &Value) -> String {
    let text = |name| entry.get(name).and_then(Value::as_str).unwrap_or_default();
    let path = entry.get("loc").and_then(Value::as_array);
    let path: Vec<&str> = path
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    format!(" {} {}: {}", text("type"), path.join("."), text("msg")).to_lowercase()
}

/// Google's `RetryInfo`, which it sends instead of a header.
fn delay(detail: &Value) -> Option<Duration> {
    let seconds = detail.get("retryDelay")?.as_str()?.strip_suffix('s')?;
    Duration::try_from_secs_f64(seconds.parse().ok()?).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn meaning(status: u16, body: &Value) -> CallError {
        read(status, None, body.to_string().as_bytes())
    }

    #[test]
    fn the_status_decides_if_the_body_has_no_code() {
        let table = [
            (302, CallError::Unknown(302)),
            (400, CallError::Refused(400)),
            (401, CallError::Key(401)),
            (402, CallError::Refused(402)),
            (403, CallError::Key(403)),
            (404, CallError::Unknown(404)),
            (408, CallError::Unavailable(408, None)),
            (409, CallError::Unavailable(409, None)),
            (413, CallError::TooLong),
            (422, CallError::Refused(422)),
            (429, CallError::RateLimited(None)),
            (500, CallError::Unavailable(500, None)),
            (529, CallError::Unavailable(529, None)),
        ];
        for (status, error) in table {
            for body in [
                &b""[..],
                b"<html>",
                b"null",
                b"[]",
                br#"{"error":{}}"#,
                br#"{"error":"oops"}"#,
            ] {
                assert_eq!(read(status, None, body), error, "{status}");
            }
        }
    }

    #[test]
    fn a_prompt_that_is_too_long_is_recognized_for_every_provider() {
        let openai = json!({"error": {"message": "…", "type": "invalid_request_error", "code": "context_length_exceeded"}});
        let vllm = json!({"object": "error", "message": "This model's maximum context length is 8 tokens.", "code": 400});
        let newer_vllm = json!({"error": {"message": "However, the model's context length is only 8 tokens.", "code": 400}});
        let llama =
            json!({"error": {"code": 400, "message": "…", "type": "exceed_context_size_error"}});
        let anthropic = json!({"type": "error", "error": {
            "type": "invalid_request_error", "message": "prompt is too long: 9 tokens > 8 maximum"}});
        let output = json!({"error": {"message": "input length and `max_tokens` exceed context limit: 1 + 2 > 2"}});
        let gemini = json!([{"error": {"code": 400, "status": "INVALID_ARGUMENT",
            "message": "The input token count (9) exceeds the maximum number of tokens allowed (8)."}}]);
        for body in [openai, vllm, newer_vllm, llama, anthropic, output, gemini] {
            assert_eq!(meaning(400, &body), CallError::TooLong, "{body}");
        }
        let minute = json!({"error": {"message": "Request too large for gpt-5 on tokens per min (TPM)", "code": "rate_limit_exceeded"}});
        assert_eq!(meaning(429, &minute), CallError::TooLong);
    }

    #[test]
    fn an_unknown_gemini_key_is_a_key_error() {
        let body = json!({"error": {"code": 400, "status": "INVALID_ARGUMENT", "message": "API key not valid.",
            "details": [{"reason": "API_KEY_INVALID"}]}});
        assert_eq!(meaning(400, &body), CallError::Key(400));
    }

    #[test]
    fn a_filtered_answer_counts_as_declined() {
        let azure = json!({"error": {"code": "content_filter", "innererror": {"code": "ResponsibleAIPolicyViolation"}}});
        assert_eq!(meaning(400, &azure), CallError::Declined);
    }

    #[test]
    fn an_exhausted_quota_is_not_retried() {
        let body = json!({"error": {"type": "insufficient_quota", "code": "insufficient_quota", "message": "…"}});
        assert_eq!(meaning(429, &body), CallError::Refused(429));
    }

    #[test]
    fn the_wait_is_in_the_headers_or_in_the_body() {
        let body =
            json!({"error": {"code": 429, "details": [{"reason": "x"}, {"retryDelay": "37.5s"}]}});
        assert_eq!(
            meaning(429, &body),
            CallError::RateLimited(Some(Duration::from_millis(37_500)))
        );
        let header = Some(Duration::from_secs(2));
        assert_eq!(
            read(429, header, body.to_string().as_bytes()),
            CallError::RateLimited(header)
        );
        for delay in ["soon", "-1s", "NaNs", "1e99s"] {
            let body = json!({"error": {"details": [{"retryDelay": delay}]}});
            assert_eq!(meaning(429, &body), CallError::RateLimited(None), "{delay}");
        }
    }

    #[test]
    fn an_error_inside_a_success_is_found() {
        let hidden = |body: Value| super::hidden(body.to_string().as_bytes());
        assert_eq!(
            hidden(json!({"error": {"code": 502, "message": "…"}})),
            Some(CallError::Unavailable(502, None))
        );
        assert_eq!(hidden(json!({"error": {"code": 99_999}})), None);
        assert_eq!(hidden(json!({"choices": []})), None);
    }

    #[test]
    fn a_rejected_parameter_is_recognised_under_any_status() {
        let named = |status, message: &str| {
            let body = json!({"error": {"message": message}}).to_string();
            objection(status, body.as_bytes())
        };
        let table = [
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model.",
                Objection::Dialect(Dialect::Compatible),
            ),
            (
                "Unrecognized request argument supplied: max_completion_tokens",
                Objection::Dialect(Dialect::Own),
            ),
            (
                "`temperature` is deprecated for this model.",
                Objection::Temperature,
            ),
            (
                "gpt-5 models don't support temperature=0.0",
                Objection::Temperature,
            ),
            (
                "Unsupported parameter: 'reasoning_effort'",
                Objection::Reasoning,
            ),
            (
                "system.0.cache_control: Extra inputs are not permitted",
                Objection::CacheMarks,
            ),
            ("Unknown parameter: 'store'.", Objection::Store),
            (
                "No endpoints found that support response_format",
                Objection::Format,
            ),
            ("streaming is not supported", Objection::Streaming),
        ];
        for status in [400, 403, 404, 405, 415, 422, 500, 501, 502] {
            for (message, expected) in table {
                assert_eq!(named(status, message), Some(expected), "{status} {message}");
            }
        }
        for (status, message) in [
            (400, "temperature must be a number"),
            (500, "upstream failed"),
            (500, "the stream broke off"),
            (429, "too many requests; temperature is not supported"),
        ] {
            assert_eq!(named(status, message), None, "{message}");
        }
    }

    #[test]
    fn a_parameter_in_the_details_of_an_error_is_recognised() {
        let detail = |name: &str| json!([{"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted", "input": "response_format"}]);
        for (name, expected) in [
            ("stream_options", Objection::StreamOptions),
            ("response_format", Objection::Format),
            ("reasoning_effort", Objection::Reasoning),
        ] {
            for body in [
                json!({"detail": detail(name)}),
                json!({"object": "error", "message": {"detail": detail(name)}, "type": "invalid_request_error"}),
                json!({"error": {"message": {"detail": detail(name)}}}),
                json!({"detail": format!("Unsupported parameter: {name}")}),
            ] {
                let found = objection(422, body.to_string().as_bytes());
                assert_eq!(found, Some(expected), "{body}");
            }
        }
    }
    #[test]
    fn a_rejected_schema_or_stream_is_recognised_by_its_name() {
        let named = |body: Value| objection(400, body.to_string().as_bytes());
        let of_message = |message: &str| named(json!({"error": {"message": message}}));
        for message in [
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
            "output_config: Extra inputs are not permitted",
            "Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.",
            "This model does not support structured outputs",
        ] {
            assert_eq!(of_message(message), Some(Objection::Format), "{message}");
        }
        let parameter = json!({"error": {"message": "Invalid value.", "param": "text.format"}});
        assert_eq!(named(parameter), Some(Objection::Format));
        // vLLM does not put its errors into `error`, and FastAPI's are not strings.
        assert_eq!(
            named(json!({"message": "json_schema is not implemented", "code": 400})),
            Some(Objection::Format)
        );
        assert_eq!(
            of_message("Your organization must be verified to stream this model."),
            Some(Objection::Streaming)
        );
        assert_eq!(
            of_message("stream_options is not supported"),
            Some(Objection::StreamOptions)
        );
        assert_eq!(
            of_message("prompt is too long: 9 tokens > 8 maximum; response_format"),
            None
        );
        assert_eq!(of_message("upstream failed"), None);
        let invalid = json!({"error": {"message": "response_format"}}).to_string();
        assert_eq!(objection(500, invalid.as_bytes()), None);
    }

    #[test]
    fn an_error_inside_a_stream_is_classified_by_its_code() {
        for (event, error) in [
            (
                json!({"type": "error", "error": {"type": "overloaded_error"}}),
                CallError::Unavailable(529, None),
            ),
            (
                json!({"type": "error", "code": "rate_limit_exceeded", "message": "…"}),
                CallError::RateLimited(None),
            ),
            (
                json!({"error": {"code": 503, "message": "…"}}),
                CallError::Unavailable(503, None),
            ),
            (
                json!({"error": {"code": "context_length_exceeded"}}),
                CallError::TooLong,
            ),
            (json!({"error": "oops"}), CallError::Unavailable(500, None)),
        ] {
            assert_eq!(in_event(&event), Some(error), "{event}");
        }
        assert_eq!(
            in_event(&json!({"type": "response.created", "error": null})),
            None
        );
    }
}
