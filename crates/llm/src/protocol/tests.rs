//! What goes out, word for word, and what is made of odd answers.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::model::{Finish, Schema};
use crate::settings::Key;

const PROTOCOLS: [Protocol; 3] = [Protocol::OpenAi, Protocol::Anthropic, Protocol::Gemini];

fn settings(protocol: Protocol) -> ModelSettings {
    ModelSettings {
        protocol,
        model: "m-1".to_owned(),
        base_url: "https://provider.example".to_owned(),
        api_key: Some(Key::new("s3cret")),
        headers: Vec::new(),
        proxy: None,
        ca_pem: None,
        structured_output: true,
        context_window: 8_000,
        max_output_tokens: 1_000,
        price_input_per_million: 0.0,
        price_output_per_million: 0.0,
    }
}

fn prompt() -> Prompt {
    let schema = Schema { name: "findings", json: json!({"type": "object"}) };
    Prompt { system: "Review.".into(), user: "+ \"a\"\n".to_owned(), schema: Arc::new(schema), max_output_tokens: 500 }
}

fn body(settings: &ModelSettings, dialect: Dialect) -> Value {
    serde_json::from_slice(&settings.protocol.encode(settings, &prompt(), dialect)).unwrap()
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
fn a_compatible_server_gets_what_it_knows() {
    let sent = body(&settings(Protocol::OpenAi), Dialect::Compatible);
    assert_eq!((&sent["max_tokens"], &sent["temperature"]), (&json!(500), &json!(0)));
    assert_eq!(sent.get("max_completion_tokens"), None);
}

#[test]
fn anthropic_gets_its_format_in_the_output_config() {
    let sent = body(&settings(Protocol::Anthropic), Dialect::Own);
    let expected = json!({
        "model": "m-1",
        "max_tokens": 500,
        "system": "Review.",
        "messages": [{"role": "user", "content": "+ \"a\"\n"}],
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
        let settings = ModelSettings { structured_output: false, ..settings(protocol) };
        let sent = body(&settings, Dialect::Own).to_string();
        assert!(!sent.contains("schema") && !sent.contains("Schema") && !sent.contains("application/json"), "{sent}");
    }
}

#[test]
fn a_model_is_never_asked_for_more_than_it_can_say() {
    for protocol in PROTOCOLS {
        let settings = ModelSettings { max_output_tokens: 77, ..settings(protocol) };
        let sent = body(&settings, Dialect::Own).to_string();
        assert!(sent.contains(":77") && !sent.contains(":500"), "{sent}");
    }
}

#[test]
fn the_key_goes_into_the_header_of_the_protocol_and_nowhere_else() {
    let header = |protocol: Protocol| {
        let endpoint = protocol.endpoint(&settings(protocol));
        endpoint.headers.iter().map(|(name, key)| format!("{name}: {}", key.expose())).collect::<Vec<_>>()
    };
    assert_eq!(header(Protocol::OpenAi), ["authorization: Bearer s3cret"]);
    assert_eq!(header(Protocol::Anthropic), ["anthropic-version: 2023-06-01", "x-api-key: s3cret"]);
    assert_eq!(header(Protocol::Gemini), ["x-goog-api-key: s3cret"]);
    for protocol in PROTOCOLS {
        assert!(!body(&settings(protocol), Dialect::Own).to_string().contains("s3cret"));
        let keyless = ModelSettings { api_key: None, ..settings(protocol) };
        assert!(protocol.endpoint(&keyless).headers.iter().all(|(name, _)| *name == "anthropic-version"));
    }
}

#[test]
fn a_gemini_model_may_be_a_resource_of_its_own() {
    let path = |model: &str| {
        let settings = ModelSettings { model: model.to_owned(), ..settings(Protocol::Gemini) };
        Protocol::Gemini.endpoint(&settings).segments.join("/")
    };
    assert_eq!(path("gemini-3-pro"), "models/gemini-3-pro:generateContent");
    assert_eq!(path("tunedModels/mine"), "tunedModels/mine:generateContent");
}

#[test]
fn the_dialect_is_told_by_the_host() {
    for host in ["api.openai.com", "eu.api.openai.com", "x.openai.azure.com", "x.services.ai.azure.com"] {
        assert_eq!(Dialect::of(host), Dialect::Own, "{host}");
    }
    for host in ["localhost", "openai.com.example", "notapi.openai.com", "api.mistral.ai", ""] {
        assert_eq!(Dialect::of(host), Dialect::Compatible, "{host}");
    }
}

fn decoded(protocol: Protocol, body: &Value) -> Result<Decoded, CallError> {
    protocol.decode(body.to_string().as_bytes())
}

fn text(protocol: Protocol, body: &Value) -> Result<(String, Finish), CallError> {
    decoded(protocol, body).map(|decoded| (decoded.text, decoded.finish))
}

fn said(text: &str, finish: Finish) -> Result<(String, Finish), CallError> {
    Ok((text.to_owned(), finish))
}

#[test]
fn thoughts_are_no_part_of_the_text() {
    let openai = json!({"choices": [{"finish_reason": "stop", "message": {"reasoning_content": "hm", "content": [
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}, {"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]});
    assert_eq!(text(Protocol::OpenAi, &openai), said("ab", Finish::Stop));
    let anthropic = json!({"content": [{"type": "thinking", "thinking": "hm", "signature": "…"},
        {"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "stop_reason": "end_turn"});
    assert_eq!(text(Protocol::Anthropic, &anthropic), said("ab", Finish::Stop));
    let gemini = json!({"candidates": [{"content": {"parts": [{"text": "hm", "thought": true}, {"text": "a"},
        {"inlineData": {}}, {"text": "b"}]}, "finishReason": "STOP"}]});
    assert_eq!(text(Protocol::Gemini, &gemini), said("ab", Finish::Stop));
}

#[test]
fn a_model_that_thought_until_its_room_was_used_up_said_nothing() {
    let openai = json!({"choices": [{"finish_reason": "length", "message": {"content": null}}]});
    let anthropic = json!({"content": [], "stop_reason": "max_tokens"});
    let gemini = json!({"candidates": [{"content": {"role": "model"}, "finishReason": "MAX_TOKENS"}]});
    for (protocol, body) in PROTOCOLS.into_iter().zip([openai, anthropic, gemini]) {
        assert_eq!(text(protocol, &body), said("", Finish::Length), "{protocol}");
    }
}

#[test]
fn a_compatible_server_may_give_no_reason() {
    for reason in [Value::Null, json!("eos"), json!("")] {
        let body = json!({"choices": [{"finish_reason": reason, "message": {"content": "a"}}]});
        assert_eq!(text(Protocol::OpenAi, &body), said("a", Finish::Stop), "{reason}");
    }
}

#[test]
fn a_model_that_calls_a_tool_nobody_offered_is_not_understood() {
    let openai = json!({"choices": [{"finish_reason": "tool_calls", "message": {"content": null}}]});
    let anthropic = json!({"content": [{"type": "tool_use", "id": "1"}], "stop_reason": "tool_use"});
    let gemini = json!({"candidates": [{"finishReason": "MALFORMED_FUNCTION_CALL"}]});
    for (protocol, body) in PROTOCOLS.into_iter().zip([openai, anthropic, gemini]) {
        assert_eq!(decoded(protocol, &body), Err(CallError::Garbled), "{protocol}");
    }
}

#[test]
fn a_gateway_that_fails_inside_a_success_is_a_provider_that_fails() {
    let body = json!({"error": {"code": 503, "message": "Provider returned error"}});
    for protocol in PROTOCOLS {
        assert_eq!(decoded(protocol, &body), Err(CallError::Unavailable(503, None)), "{protocol}");
    }
}

#[test]
fn what_is_no_answer_is_not_understood() {
    let deep = "[".repeat(200_000);
    for protocol in PROTOCOLS {
        for body in ["", "null", "[]", "{}", "\u{feff}{", "<html></html>", r#"{"choices":[{}],"content":5}"#, &deep] {
            assert_eq!(protocol.decode(body.as_bytes()), Err(CallError::Garbled), "{protocol}");
        }
        assert_eq!(protocol.decode(b"\xff\xfe"), Err(CallError::Garbled), "{protocol}");
    }
}

#[test]
fn a_count_that_cannot_be_is_no_count() {
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
        assert_eq!(decoded(Protocol::OpenAi, &body).unwrap().usage, None, "{usage}");
    }
}

proptest! {
    #[test]
    fn no_body_of_any_kind_is_too_much(body in prop::collection::vec(any::<u8>(), 0..300), status in 100_u16..1000) {
        for protocol in PROTOCOLS {
            prop_assert_eq!(protocol.decode(&body), Err(CallError::Garbled));
        }
        provider_error::read(status, None, &body);
    }

    #[test]
    fn a_text_of_any_kind_comes_back_as_it_is(text in ".{1,80}") {
        let openai = json!({"choices": [{"finish_reason": "stop", "message": {"content": text}}]});
        let anthropic = json!({"content": [{"type": "text", "text": text}], "stop_reason": "end_turn"});
        let gemini = json!({"candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}]});
        for (protocol, body) in PROTOCOLS.into_iter().zip([openai, anthropic, gemini]) {
            prop_assert_eq!(decoded(protocol, &body).unwrap().text, text.clone());
        }
    }
}
