//! Exact requests, and results of unusual answers.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::model::{CallError, Finish, LaterTurn, Schema};
use crate::settings::{Key, Reasoning};

const PROTOCOLS: [Protocol; 4] = Protocol::ALL;

fn settings(protocol: Protocol) -> ModelSettings {
    ModelSettings {
        api_key: Some(Key::new("s3cret")),
        context_window: 8_000,
        max_output_tokens: 1_000,
        stream: false,
        ..ModelSettings::new(protocol, "m-1", "https://provider.example")
    }
}

fn prompt() -> Prompt {
    let schema = Schema {
        name: "findings",
        json: json!({"type": "object"}),
    };
    Prompt {
        system: "Review.".into(),
        user: "+ \"a\"\n".to_owned(),
        later: Vec::new(),
        schema: Arc::new(schema),
        max_output_tokens: 500,
    }
}

fn body(settings: &ModelSettings, dialect: Dialect) -> Value {
    let form = Form {
        dialect,
        ..Form::of(settings, "")
    };
    serde_json::from_slice(&settings.protocol.encode(settings, &prompt(), form)).unwrap()
}

/// The request to a model with these settings.
fn asked(protocol: Protocol, change: impl FnOnce(&mut ModelSettings)) -> Value {
    let mut settings = settings(protocol);
    change(&mut settings);
    body(&settings, Dialect::Own)
}

#[test]
fn openai_gets_its_own_parameters() {
    let sent = body(&settings(Protocol::OpenAi), Dialect::Own);
    let expected = json!({
        "model": "m-1",
        "messages": [{"role": "system", "content": "Review."}, {"role": "user", "content": "+ \"a\"\n"}],
        "max_completion_tokens": 500,
        "response_format": {"type": "json_schema",
            "json_schema": {"name": "findings", "strict": true, "schema": {"type": "object"}}},
    });
    assert_eq!(sent, expected);
}

#[test]
fn a_compatible_server_gets_the_parameters_it_supports() {
    let sent = body(&settings(Protocol::OpenAi), Dialect::Compatible);
    assert_eq!(
        (&sent["max_tokens"], &sent["temperature"]),
        (&json!(500), &json!(0))
    );
    assert_eq!(sent.get("max_completion_tokens"), None);
}

#[test]
fn the_responses_api_gets_instructions_and_input_and_stores_nothing() {
    let expected = json!({
        "model": "m-1",
        "instructions": "Review.",
        "input": [{"role": "user", "content": "+ \"a\"\n"}],
        "max_output_tokens": 500,
        "store": false,
        "text": {"format": {"type": "json_schema", "name": "findings", "strict": true, "schema": {"type": "object"}}},
    });
    assert_eq!(asked(Protocol::OpenAiResponses, |_| ()), expected);
}

#[test]
fn a_stream_is_requested_as_the_protocol_specifies() {
    let stream = |settings: &mut ModelSettings| settings.stream = true;
    for protocol in [
        Protocol::OpenAi,
        Protocol::OpenAiResponses,
        Protocol::Anthropic,
    ] {
        assert_eq!(asked(protocol, stream)["stream"], true, "{protocol}");
        assert_eq!(asked(protocol, |_| ()).get("stream"), None, "{protocol}");
    }
    assert_eq!(
        asked(Protocol::OpenAi, stream)["stream_options"],
        json!({"include_usage": true})
    );
    let endpoint = |stream| {
        let settings = ModelSettings {
            stream,
            ..settings(Protocol::Gemini)
        };
        let endpoint = Protocol::Gemini.endpoint(&settings, Form::of(&settings, "").streamed);
        (endpoint.segments.join("/"), endpoint.parameter)
    };
    assert_eq!(
        endpoint(true),
        (
            "models/m-1:streamGenerateContent".to_owned(),
            Some(("alt", "sse"))
        )
    );
    assert_eq!(
        endpoint(false),
        ("models/m-1:generateContent".to_owned(), None)
    );
}

#[test]
fn reasoning_is_left_to_the_provider_unless_it_is_set() {
    for protocol in PROTOCOLS {
        let sent = asked(protocol, |_| ()).to_string();
        assert!(
            !["reasoning", "thinking", "effort"]
                .iter()
                .any(|word| sent.contains(word)),
            "{sent}"
        );
    }
}

#[test]
fn reasoning_goes_into_the_field_of_the_protocol() {
    let asked = |protocol, model: &str, reasoning| {
        asked(protocol, |settings| {
            settings.model = model.to_owned();
            settings.reasoning = Some(reasoning);
            settings.max_output_tokens = 20_000;
        })
    };
    for reasoning in Reasoning::ALL {
        let name = json!(reasoning.name());
        assert_eq!(
            asked(Protocol::OpenAi, "m", reasoning)["reasoning_effort"],
            name
        );
        assert_eq!(
            asked(Protocol::OpenAiResponses, "m", reasoning)["reasoning"],
            json!({"effort": name})
        );
    }
    let anthropic = |model, reasoning| {
        let sent = asked(Protocol::Anthropic, model, reasoning);
        (
            sent["thinking"].clone(),
            sent["output_config"]["effort"].clone(),
        )
    };
    let adaptive = json!({"type": "adaptive"});
    assert_eq!(
        anthropic("claude-sonnet-5-5", Reasoning::High),
        (adaptive.clone(), json!("high"))
    );
    assert_eq!(
        anthropic("an-alias", Reasoning::Minimal),
        (adaptive, json!("low"))
    );
    // The prompt's 500 tokens leave no room for the smallest budget.
    assert_eq!(
        anthropic("claude-haiku-4-5", Reasoning::High),
        (json!({"type": "disabled"}), Value::Null)
    );
    assert_eq!(
        anthropic("claude-opus-5", Reasoning::None),
        (json!({"type": "disabled"}), Value::Null)
    );
    let gemini = |model, reasoning| {
        asked(Protocol::Gemini, model, reasoning)["generationConfig"]["thinkingConfig"].clone()
    };
    assert_eq!(
        gemini("gemini-3.6-flash", Reasoning::None),
        json!({"thinkingLevel": "MINIMAL"})
    );
    assert_eq!(
        gemini("gemini-3.6-flash", Reasoning::High),
        json!({"thinkingLevel": "HIGH"})
    );
    assert_eq!(
        gemini("gemini-2.5-flash", Reasoning::None),
        json!({"thinkingBudget": 0})
    );
    assert_eq!(
        gemini("gemini-2.5-flash", Reasoning::Medium),
        json!({"thinkingBudget": 8192})
    );
}

#[test]
fn thinking_of_older_models_gets_half_of_the_token_limit() {
    let prompt = Prompt {
        max_output_tokens: 6_000,
        ..prompt()
    };
    let budget = |max_output_tokens, reasoning| {
        let settings = ModelSettings {
            model: "claude-haiku-4-5".to_owned(),
            reasoning: Some(reasoning),
            max_output_tokens,
            ..settings(Protocol::Anthropic)
        };
        let sent = Protocol::Anthropic.encode(&settings, &prompt, Form::of(&settings, ""));
        serde_json::from_slice::<Value>(&sent).unwrap()["thinking"].clone()
    };
    assert_eq!(
        budget(6_000, Reasoning::High),
        json!({"type": "enabled", "budget_tokens": 3_000})
    );
    assert_eq!(
        budget(6_000, Reasoning::Minimal),
        json!({"type": "enabled", "budget_tokens": 1_024})
    );
    assert_eq!(budget(2_000, Reasoning::High), json!({"type": "disabled"}));
}

#[test]
fn extra_body_is_merged_into_the_body() {
    let extra = json!({"top_k": 20, "generationConfig": {"seed": 7}, "metadata": {"tags": ["a"]}});
    for protocol in PROTOCOLS {
        let plain = asked(protocol, |_| ());
        let sent = asked(protocol, |settings| {
            settings.extra_body = extra.as_object().unwrap().clone()
        });
        assert_eq!(
            (&sent["top_k"], &sent["metadata"]["tags"]),
            (&json!(20), &json!(["a"])),
            "{protocol}"
        );
        assert_eq!(sent["generationConfig"]["seed"], 7, "{protocol}");
        for (name, value) in plain
            .as_object()
            .unwrap()
            .iter()
            .filter(|(name, _)| *name != "generationConfig")
        {
            assert_eq!(&sent[name], value, "{protocol}: {name}");
        }
        let config = &sent["generationConfig"]["maxOutputTokens"];
        assert_eq!(
            config.is_null(),
            protocol != Protocol::Gemini,
            "the other values of an object are kept: {sent}"
        );
    }
}

#[test]
fn parameters_with_their_own_settings_are_rejected() {
    let reserved = |protocol: Protocol, extra: Value| {
        let extra_body = extra.as_object().unwrap().clone();
        protocol
            .reserved(&ModelSettings {
                extra_body,
                ..settings(protocol)
            })
            .map(|(pointer, _)| pointer)
    };
    for (protocol, extra, pointer) in [
        (Protocol::OpenAi, json!({"messages": []}), Some("/messages")),
        (
            Protocol::OpenAi,
            json!({"response_format": {"type": "text"}}),
            Some("/response_format"),
        ),
        (
            Protocol::OpenAi,
            json!({"top_k": 1, "stream_options": {}, "provider": {"model": "x"}}),
            None,
        ),
        (
            Protocol::OpenAiResponses,
            json!({"input": "x"}),
            Some("/input"),
        ),
        (
            Protocol::OpenAiResponses,
            json!({"text": {"format": {}}}),
            Some("/text/format"),
        ),
        (
            Protocol::OpenAiResponses,
            json!({"text": "x"}),
            Some("/text"),
        ),
        (
            Protocol::OpenAiResponses,
            json!({"text": {"verbosity": "low"}}),
            None,
        ),
        (Protocol::Anthropic, json!({"system": "x"}), Some("/system")),
        (
            Protocol::Anthropic,
            json!({"output_config": {"effort": "max"}}),
            None,
        ),
        (
            Protocol::Gemini,
            json!({"generation_config": {"response_schema": {}}}),
            Some("/generation_config/response_schema"),
        ),
        (
            Protocol::Gemini,
            json!({"generationConfig": null}),
            Some("/generationConfig"),
        ),
        (
            Protocol::Gemini,
            json!({"generationConfig": {"topK": 1}, "safetySettings": []}),
            None,
        ),
    ] {
        assert_eq!(
            reserved(protocol, extra.clone()).as_deref(),
            pointer,
            "{protocol}: {extra}"
        );
    }
    for protocol in PROTOCOLS {
        assert_eq!(
            reserved(protocol, json!({"model": "other"})).as_deref(),
            Some("/model"),
            "{protocol}"
        );
    }
}

#[test]
fn anthropic_gets_its_format_in_the_output_config() {
    let sent = body(&settings(Protocol::Anthropic), Dialect::Own);
    let expected = json!({
        "model": "m-1",
        "max_tokens": 500,
        "system": [{"type": "text", "text": "Review.", "cache_control": {"type": "ephemeral"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "+ \"a\"\n", "cache_control": {"type": "ephemeral"}}]}],
        "output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}},
    });
    assert_eq!(sent, expected);
}

#[test]
fn gemini_gets_its_schema_in_the_generation_config() {
    let sent = body(&settings(Protocol::Gemini), Dialect::Own);
    let expected = json!({
        "systemInstruction": {"parts": [{"text": "Review."}]},
        "contents": [{"role": "user", "parts": [{"text": "+ \"a\"\n"}]}],
        "generationConfig": {"maxOutputTokens": 500, "responseMimeType": "application/json",
            "responseJsonSchema": {"type": "object"}},
    });
    assert_eq!(sent, expected);
}

#[test]
fn without_structured_output_no_schema_is_sent() {
    for protocol in PROTOCOLS {
        let settings = ModelSettings {
            structured_output: false,
            ..settings(protocol)
        };
        let sent = body(&settings, Dialect::Own).to_string();
        assert!(
            !sent.contains("schema")
                && !sent.contains("Schema")
                && !sent.contains("application/json"),
            "{sent}"
        );
    }
}

#[test]
fn max_output_tokens_is_never_exceeded() {
    for protocol in PROTOCOLS {
        let settings = ModelSettings {
            max_output_tokens: 77,
            ..settings(protocol)
        };
        let sent = body(&settings, Dialect::Own).to_string();
        assert!(sent.contains(":77") && !sent.contains(":500"), "{sent}");
    }
}

#[test]
fn the_key_goes_into_the_header_of_the_protocol_and_nowhere_else() {
    let header = |protocol: Protocol, key: &str| {
        let (name, key) = protocol.key_header(&Key::new(key));
        format!("{name}: {}", key.expose())
    };
    assert_eq!(
        header(Protocol::OpenAi, "s3cret"),
        "authorization: Bearer s3cret"
    );
    assert_eq!(
        header(Protocol::OpenAiResponses, "s3cret"),
        "authorization: Bearer s3cret"
    );
    assert_eq!(header(Protocol::Anthropic, "s3cret"), "x-api-key: s3cret");
    assert_eq!(header(Protocol::Gemini, "s3cret"), "x-goog-api-key: s3cret");
    for protocol in PROTOCOLS {
        assert!(
            !body(&settings(protocol), Dialect::Own)
                .to_string()
                .contains("s3cret")
        );
    }
}

#[test]
fn a_token_from_a_command_is_a_bearer_token_unless_it_is_an_api_key() {
    let header = |protocol: Protocol, key: &str| protocol.token_header(&Key::new(key)).0;
    for protocol in PROTOCOLS {
        assert_eq!(
            header(protocol, "ya29.token"),
            "authorization",
            "{protocol}"
        );
    }
    assert_eq!(header(Protocol::Anthropic, "sk-ant-api03-x"), "x-api-key");
    assert_eq!(header(Protocol::Gemini, "AIzaX"), "x-goog-api-key");
}

#[test]
fn a_gemini_model_may_be_a_resource_name() {
    let path = |model: &str| {
        let settings = ModelSettings {
            model: model.to_owned(),
            ..settings(Protocol::Gemini)
        };
        Protocol::Gemini
            .endpoint(&settings, false)
            .segments
            .join("/")
    };
    assert_eq!(path("gemini-3-pro"), "models/gemini-3-pro:generateContent");
    assert_eq!(path("tunedModels/mine"), "tunedModels/mine:generateContent");
}

#[test]
fn the_dialect_is_chosen_by_the_host() {
    for host in [
        "api.openai.com", "eu.api.openai.com", "x.openai.azure.com", "x.services.ai.azure.com",
    ] {
        assert_eq!(Dialect::of(host), Dialect::Own, "{host}");
    }
    for host in [
        "localhost", "openai.com.example", "notapi.openai.com", "api.mistral.ai", "",
    ] {
        assert_eq!(Dialect::of(host), Dialect::Compatible, "{host}");
    }
}

/// The result of a body that is read in pieces of this many bytes.
fn read(protocol: Protocol, body: &[u8], size: usize) -> Result<Decoded, CallError> {
    let mut incoming = Incoming::new(protocol);
    for piece in body.chunks(size) {
        if !incoming.take(piece)? {
            break;
        }
    }
    incoming.end(None)
}

fn decoded(protocol: Protocol, body: &Value) -> Result<Decoded, CallError> {
    read(protocol, body.to_string().as_bytes(), 1_000)
}

fn text(protocol: Protocol, body: &Value) -> Result<(String, Finish), CallError> {
    decoded(protocol, body).map(|decoded| (decoded.text, decoded.finish))
}

fn answered(text: &str, finish: Finish) -> Result<(String, Finish), CallError> {
    Ok((text.to_owned(), finish))
}

#[test]
fn reasoning_is_not_part_of_the_text() {
    let openai = json!({"choices": [{"finish_reason": "stop", "message": {"reasoning_content": "hm", "content": [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]});
    assert_eq!(
        text(Protocol::OpenAi, &openai),
        answered("ab", Finish::Stop)
    );
    let anthropic = json!({"content": [{"type": "thinking", "thinking": "hm", "signature": "…"},
        {"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "stop_reason": "end_turn"});
    assert_eq!(
        text(Protocol::Anthropic, &anthropic),
        answered("ab", Finish::Stop)
    );
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "a"},
        {"inlineData": {}}, {"text": "b"}]}, "finishReason": "STOP"}]});
    assert_eq!(
        text(Protocol::Gemini, &gemini),
        answered("ab", Finish::Stop)
    );
}

#[test]
fn a_model_that_used_all_tokens_for_reasoning_returns_no_text() {
    let openai = json!({"choices": [{"finish_reason": "length", "message": {"content": null}}]});
    let responses = json!({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"},
        "output": [{"type": "reasoning", "summary": []}]});
    let anthropic = json!({"content": [], "stop_reason": "max_tokens"});
    let gemini =
        json!({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]});
    for (protocol, body) in PROTOCOLS
        .into_iter()
        .zip([openai, responses, anthropic, gemini])
    {
        assert_eq!(
            text(protocol, &body),
            answered("", Finish::Length),
            "{protocol}"
        );
    }
}

#[test]
fn a_compatible_server_may_omit_the_finish_reason() {
    for reason in [Value::Null, json!("eos"), json!("")] {
        let body = json!({"choices": [{"finish_reason": reason, "message": {"content": "a"}}]});
        assert_eq!(
            text(Protocol::OpenAi, &body),
            answered("a", Finish::Stop),
            "{reason}"
        );
    }
}

#[test]
fn a_tool_call_without_arguments_is_not_an_answer() {
    let openai =
        json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null}}]});
    let responses =
        json!({"status": "completed", "output": [{"type": "function_call", "name": "f"}]});
    let anthropic =
        json!({"content": [{"type": "tool_use", "id": "1"}], "stop_reason": "tool_use"});
    let gemini = json!({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]});
    for (protocol, body) in PROTOCOLS
        .into_iter()
        .zip([openai, responses, anthropic, gemini])
    {
        assert_eq!(
            decoded(protocol, &body),
            Err(CallError::Garbled),
            "{protocol}"
        );
    }
}

#[test]
fn the_arguments_of_a_tool_call_are_an_answer() {
    let arguments = r#"{"findings":[]}"#;
    let openai = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null,
        "tool_calls": [{"id": "1", "type": "function", "function": {"name": "report", "arguments": arguments}}]}}]});
    let responses = json!({"status": "completed", "output": [
        {"type": "function_call", "call_id": "1", "name": "report", "arguments": arguments}]});
    let anthropic = json!({"stop_reason": "tool_use", "content": [
        {"type": "tool_use", "id": "1", "name": "report", "input": {"findings": []}}]});
    let gemini = json!({"candidates": [{"finishReason": "STOP", "content": {"parts": [
        {"functionCall": {"name": "report", "args": {"findings": []}}}]}}]});
    for (protocol, body) in PROTOCOLS
        .into_iter()
        .zip([openai, responses, anthropic, gemini])
    {
        assert_eq!(
            text(protocol, &body),
            answered(arguments, Finish::Stop),
            "{protocol}"
        );
    }
    let both = json!({"choices": [{"message": {"content": "Here:", "function_call": {"arguments": "{}"}}}]});
    assert_eq!(
        text(Protocol::OpenAi, &both),
        answered("Here:\n{}", Finish::Stop)
    );
}

#[test]
fn cached_tokens_are_read() {
    let openai = json!({"choices": [{"message": {"content": "a"}}], "usage": {"prompt_tokens": 100,
        "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 64}}});
    let responses = json!({"status": "completed", "output": [{"type": "message", "content": [
        {"type": "output_text", "text": "a"}]}], "usage": {"input_tokens": 100, "output_tokens": 1,
        "input_tokens_details": {"cached_tokens": 64}}});
    let anthropic = json!({"content": [{"type": "text", "text": "a"}], "usage": {"input_tokens": 6,
        "cache_creation_input_tokens": 30, "cache_read_input_tokens": 64, "output_tokens": 1}});
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "a"}]}}], "usageMetadata": {
        "promptTokenCount": 100, "cachedContentTokenCount": 64, "candidatesTokenCount": 1}});
    for (protocol, body) in PROTOCOLS
        .into_iter()
        .zip([openai, responses, anthropic, gemini])
    {
        let decoded = decoded(protocol, &body).unwrap();
        assert_eq!(
            (decoded.cached_tokens, decoded.usage.unwrap().prompt_tokens),
            (64, 100),
            "{protocol}"
        );
    }
}

#[test]
fn the_status_of_a_response_determines_the_result() {
    let response = |status: &str, reason: Value| {
        let details = json!({"reason": reason});
        let body = json!({"status": status, "incomplete_details": details, "error": null, "output": [
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}]},
            {"type": "message", "content": [{"type": "output_text", "text": "a"}, {"type": "output_text", "text": "b"}]}]});
        text(Protocol::OpenAiResponses, &body)
    };
    assert_eq!(
        response("completed", Value::Null),
        answered("ab", Finish::Stop)
    );
    assert_eq!(
        response("incomplete", json!("max_output_tokens")),
        answered("ab", Finish::Length)
    );
    assert_eq!(
        response("incomplete", json!("content_filter")),
        Err(CallError::Declined)
    );
    assert_eq!(
        response("in_progress", Value::Null),
        Err(CallError::Garbled)
    );
    let refusal = json!({"status": "completed", "output": [
        {"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}]});
    assert_eq!(
        text(Protocol::OpenAiResponses, &refusal),
        Err(CallError::Declined)
    );
    let failed = json!({"status": "failed", "error": {"code": "server_error", "message": "…"}, "output": []});
    assert_eq!(
        text(Protocol::OpenAiResponses, &failed),
        Err(CallError::Unavailable(500, None))
    );
}

#[test]
fn a_gateway_that_streams_a_list_instead_of_events_is_read() {
    let body = json!([{"candidates": [{"content": {"parts": [{"text": "a"}]}}]},
        {"candidates": [{"content": {"parts": [{"text": "b"}]}, "finishReason": "STOP"}]}]);
    assert_eq!(text(Protocol::Gemini, &body), answered("ab", Finish::Stop));
}

#[test]
fn an_error_inside_a_stream_is_a_provider_failure() {
    let event = |data: &Value| format!("data: {data}\n\n");
    let overloaded =
        event(&json!({"type": "error", "error": {"type": "overloaded_error", "message": "…"}}));
    for protocol in PROTOCOLS {
        let read = read(protocol, overloaded.as_bytes(), 7);
        assert_eq!(read, Err(CallError::Unavailable(529, None)), "{protocol}");
    }
    let failed = json!({"type": "response.failed", "response": {"status": "failed", "output": [],
        "error": {"code": "rate_limit_exceeded"}}});
    let read = read(Protocol::OpenAiResponses, event(&failed).as_bytes(), 7);
    assert_eq!(read, Err(CallError::RateLimited(None)));
}

#[test]
fn bytes_without_an_event_do_not_count_as_progress() {
    for protocol in PROTOCOLS {
        let mut incoming = Incoming::new(protocol);
        incoming.take(b"data: {}\n\n").unwrap();
        assert_eq!(
            (incoming.events(), incoming.has_begun()),
            (1, false),
            "{protocol}"
        );
        for byte in b": keep-alive\n\n: and more\n\ndata: {\"choices\":" {
            incoming.take(&[*byte]).unwrap();
        }
        assert_eq!(incoming.events(), 1, "{protocol}");
    }
}

#[test]
fn an_empty_or_too_large_stream_is_an_error() {
    for protocol in PROTOCOLS {
        for body in [
            "data: [DONE]\n\n", ": keep-alive\n\n", "event: ping\ndata: {}\n\n",
        ] {
            let read = read(protocol, body.as_bytes(), 100);
            assert!(
                matches!(read, Err(CallError::Garbled | CallError::Connection)),
                "{protocol}: {read:?}"
            );
        }
        let endless = format!("data: {}", "x".repeat(2 * REPLY_BYTES));
        assert_eq!(
            read(protocol, endless.as_bytes(), 4_096),
            Err(CallError::TooLarge),
            "{protocol}"
        );
    }
}

#[test]
fn an_error_inside_a_success_is_a_provider_failure() {
    let body = json!({"error": {"code": 503, "message": "Provider returned error"}});
    for protocol in PROTOCOLS {
        assert_eq!(
            decoded(protocol, &body),
            Err(CallError::Unavailable(503, None)),
            "{protocol}"
        );
    }
}

#[test]
fn malformed_answers_are_rejected() {
    let deep = "[".repeat(200_000);
    for protocol in PROTOCOLS {
        for body in [
            "", "null", "[]", "{}", "\u{feff}{", "<html></html>",
            r#"{"choices":[{}],"content":5}"#, &deep,
        ] {
            assert_eq!(
                read(protocol, body.as_bytes(), 100_000),
                Err(CallError::Garbled),
                "{protocol}"
            );
        }
        assert_eq!(
            read(protocol, b"\xff\xfe", 9),
            Err(CallError::Garbled),
            "{protocol}"
        );
    }
}

#[test]
fn implausible_counts_are_ignored() {
    for usage in [
        json!(null),
        json!("many"),
        json!({"prompt_tokens": 0, "completion_tokens": 5}),
        json!({"prompt_tokens": -1, "completion_tokens": 5}),
        json!({"prompt_tokens": 5}),
        json!({"prompt_tokens": u64::MAX, "completion_tokens": u64::MAX}),
        json!({"prompt_tokens": 1_u64 << 40, "completion_tokens": 5}),
    ] {
        let body = json!({"choices": [{"message": {"content": "a"}}], "usage": usage});
        assert_eq!(
            decoded(Protocol::OpenAi, &body).unwrap().usage,
            None,
            "{usage}"
        );
    }
}

proptest! {
    #[test]
    fn any_body_is_handled_without_a_panic(body in prop::collection::vec(any::<u8>(), 0..300), status in 100_u16..1000) {
        for protocol in PROTOCOLS {
            // A body that begins with a colon is a stream that is cut off.
            prop_assert!(matches!(read(protocol, &body, 100), Err(CallError::Garbled | CallError::Connection)));
        }
        provider_error::read(status, None, &body);
    }

    #[test]
    fn any_text_round_trips(text in ".{1,80}".prop_filter("a blank text is no answer", |text| !text.trim().is_empty())) {
        let openai = json!({"choices": [{"finish_reason": "stop", "message": {"content": text}}]});
        let responses = json!({"status": "completed", "output": [
            {"type": "message", "content": [{"type": "output_text", "text": text}]}]});
        let anthropic = json!({"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"});
        let gemini = json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]});
        for (protocol, body) in PROTOCOLS.into_iter().zip([openai, responses, anthropic, gemini]) {
            prop_assert_eq!(decoded(protocol, &body).unwrap().text, text.clone());
        }
    }
}

/// The messages of a request with this many later turns.
fn conversation(protocol: Protocol, turns: usize) -> Vec<Value> {
    let turn = |n: usize| LaterTurn {
        answer: format!("answer {n}"),
        user: format!("task {n}"),
    };
    let prompt = Prompt {
        later: (1..=turns).map(turn).collect(),
        ..prompt()
    };
    let settings = settings(protocol);
    let sent = protocol.encode(&settings, &prompt, Form::of(&settings, ""));
    let sent: Value = serde_json::from_slice(&sent).unwrap();
    let name = match protocol {
        Protocol::OpenAi | Protocol::Anthropic => "messages",
        Protocol::OpenAiResponses => "input",
        Protocol::Gemini => "contents",
    };
    sent[name].as_array().unwrap().clone()
}

#[test]
fn a_conversation_begins_with_the_messages_of_its_earlier_turns() {
    for protocol in PROTOCOLS {
        let [one, two, three] = [0, 1, 2].map(|turns| conversation(protocol, turns));
        assert_eq!(two.len(), one.len() + 2, "{protocol}");
        assert_eq!(two[..one.len()], one, "{protocol}");
        // Anthropic's mark moves to the last message.
        let texts = |messages: &[Value]| -> Vec<String> {
            let text = |message: &Value| {
                let content = &message["content"];
                content[0]["text"].as_str().map_or_else(
                    || content.to_string() + &message["parts"].to_string(),
                    |text| json!(text).to_string() + "null",
                )
            };
            messages.iter().map(text).collect()
        };
        assert_eq!(texts(&three[..two.len()]), texts(&two), "{protocol}");
        let role = if protocol == Protocol::Gemini {
            "model"
        } else {
            "assistant"
        };
        assert_eq!(two[one.len()]["role"], role, "{protocol}");
    }
}

#[test]
fn the_first_and_the_last_message_are_marked_for_anthropics_cache() {
    let marks = |turns| -> Vec<bool> {
        let messages = conversation(Protocol::Anthropic, turns);
        let is_marked = |message: &Value| message.to_string().contains("cache_control");
        messages.iter().map(is_marked).collect()
    };
    assert_eq!(marks(0), [true]);
    assert_eq!(marks(1), [true, false, true]);
    assert_eq!(marks(2), [true, false, false, false, true]);
}

#[test]
fn the_answer_of_a_compatible_server_may_be_an_object_or_mistaken_for_reasoning() {
    let object = json!({"findings": []});
    let whole = |message: Value| {
        let body = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
        incoming::whole(Protocol::OpenAi, body.to_string().as_bytes()).map(|decoded| decoded.text)
    };
    for message in [
        json!({"content": object}),
        json!({"content": [{"text": object.to_string()}]}),
        json!({"content": null, "tool_calls": [{"function": {"name": "review", "arguments": object}}]}),
        json!({"content": "", "tool_calls": [{"function": {"arguments": object.to_string()}}]}),
        json!({"content": null, "function_call": {"arguments": object}}),
        json!({"content": null, "reasoning_content": object.to_string()}),
        json!({"content": "", "reasoning": object.to_string(), "reasoning_content": null}),
        json!({"content": object.to_string(), "reasoning": "hm", "reasoning_content": "hm"}),
        json!({"content": object.to_string(), "reasoning": {"text": "hm"}}),
    ] {
        assert_eq!(whole(message.clone()), Ok(object.to_string()), "{message}");
    }
    let cut = json!({"choices": [{"message": {"content": "", "reasoning": "hm"}, "finish_reason": "length"}]});
    let cut = incoming::whole(Protocol::OpenAi, cut.to_string().as_bytes()).unwrap();
    assert_eq!((&*cut.text, cut.finish), ("", Finish::Length));
}
