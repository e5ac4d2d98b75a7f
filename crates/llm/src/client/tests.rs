//! Results of calls to a real provider on a real socket, by fault and protocol.

mod certificate;
mod credential;

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use rcgen::{BasicConstraints, CertificateParams, IsCa, Issuer, KeyPair};
use rustls::pki_types::PrivateKeyDer;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::*;
use crate::model::{Finish, Schema};
use crate::protocol::REPLY_BYTES;
use crate::settings::{Key, Protocol, Reasoning};
use crate::testing::{FaultKind, Script, ScriptedProvider, Turn};

const PROTOCOLS: [Protocol; 4] = Protocol::ALL;
const TEXT: &str = r#"{"findings":[{"line":"NEW:1"}]}"#;
/// Enough for an answer on a busy machine.
const LONG: Duration = Duration::from_secs(20);

fn prompt() -> Prompt {
    let schema = Schema {
        name: "findings",
        json: json!({"type": "object"}),
    };
    let (system, user) = ("Review.".into(), "NEW:1 + a".to_owned());
    Prompt {
        system,
        user,
        later: Vec::new(),
        schema: Arc::new(schema),
        max_output_tokens: 500,
    }
}

fn reply(text: &str, finish: Finish) -> Reply {
    let usage = TokenUsage {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        estimated: false,
    };
    Reply {
        text: text.to_owned(),
        finish,
        usage,
        cached_tokens: 20,
        model: "scripted".into(),
    }
}

fn prose() -> String {
    format!("Here you are:\n```json\n{TEXT}\n```\nAnything else?")
}

async fn ask(provider: &ScriptedProvider, time: Duration) -> Result<Reply, CallError> {
    HttpModel::new(&provider.settings(), time)
        .unwrap()
        .complete(&prompt())
        .await
}

/// The expected result of each fault; `None` means a reply with an estimated count.
fn expected(
    protocol: Protocol,
    fault: FaultKind,
    streamed: bool,
) -> Option<Result<Reply, CallError>> {
    let is_openai = matches!(protocol, Protocol::OpenAi | Protocol::OpenAiResponses);
    let error = match fault {
        FaultKind::ProseAroundText => return Some(Ok(reply(&prose(), Finish::Stop))),
        FaultKind::Length => return Some(Ok(reply(&TEXT[..TEXT.len() / 2], Finish::Length))),
        FaultKind::NoUsage => return None,
        FaultKind::RateLimited => CallError::RateLimited(None),
        FaultKind::RateLimitedFor(seconds) => {
            CallError::RateLimited(Some(Duration::from_secs(seconds)))
        }
        // Only OpenAI reports this in a machine-readable way.
        FaultKind::QuotaSpent if is_openai => CallError::Refused(429),
        FaultKind::QuotaSpent => CallError::RateLimited(None),
        FaultKind::ServerError | FaultKind::HugeError => CallError::Unavailable(500, None),
        FaultKind::Overloaded => CallError::Unavailable(529, None),
        FaultKind::HangBeforeAnswer | FaultKind::HangInsideAnswer | FaultKind::SlowTokens => {
            CallError::TimedOut
        }
        FaultKind::CutBeforeAnswer | FaultKind::CutInsideAnswer => CallError::Connection,
        // A stream ends with a final event, so one without it was cut off.
        FaultKind::HalfJson if streamed => CallError::Connection,
        FaultKind::NoChoices if streamed && protocol == Protocol::Gemini => CallError::Connection,
        FaultKind::HalfJson | FaultKind::NoChoices => CallError::Garbled,
        FaultKind::Refusal | FaultKind::ContentFilter => CallError::Declined,
        FaultKind::WrongModel => CallError::Unknown(404),
        FaultKind::WrongKey if protocol == Protocol::Gemini => CallError::Key(400),
        FaultKind::WrongKey => CallError::Key(401),
        FaultKind::TooLong => CallError::TooLong,
        FaultKind::Huge => CallError::TooLarge,
        FaultKind::Redirect => CallError::Unknown(307),
    };
    Some(Err(error))
}

/// One call for every fault of every protocol. They run concurrently, except those that time out.
#[tokio::test]
async fn every_fault_of_every_protocol_has_the_expected_result() {
    let mut cases = Vec::new();
    for (protocol, stream) in PROTOCOLS
        .into_iter()
        .flat_map(|protocol| [(protocol, false), (protocol, true)])
    {
        for fault in FaultKind::ALL {
            let script = Script::always(Turn::Fail(fault, TEXT.to_owned()));
            let provider = ScriptedProvider::start(protocol, script).await.unwrap();
            let model = HttpModel::new(
                &ModelSettings {
                    stream,
                    ..provider.settings()
                },
                LONG,
            )
            .unwrap();
            cases.push(((protocol, stream), fault, provider, model));
        }
    }
    let asked = prompt();
    let (lasting, brief): (Vec<_>, Vec<_>) =
        cases.iter().partition(|(_, fault, _, _)| fault.lasts());
    let mut replies = join_all(brief.iter().map(|(_, _, _, model)| model.complete(&asked))).await;
    for (_, _, provider, model) in &lasting {
        replies.push(provider.run_out(LONG, model.complete(&asked)).await);
    }
    for (((protocol, stream), fault, provider, _), got) in
        brief.into_iter().chain(lasting).zip(replies)
    {
        match expected(*protocol, *fault, *stream) {
            Some(expected) => assert_eq!(got, expected, "{protocol} {fault:?} {stream}"),
            None => assert!(got.unwrap().usage.estimated, "{protocol} {fault:?}"),
        }
        assert_eq!(provider.requests().len(), 1, "{protocol} {fault:?}");
    }
}

#[tokio::test]
async fn a_prompt_reaches_the_model_and_its_reply_is_returned() {
    let turns: [fn(&str) -> Turn; 3] = [
        |text| Turn::say(text),
        |text| Turn::Plain(text.to_owned()),
        |text| Turn::Streamed(text.to_owned()),
    ];
    for (protocol, stream) in PROTOCOLS
        .into_iter()
        .flat_map(|protocol| [(protocol, false), (protocol, true)])
    {
        for (at, turn) in turns.into_iter().enumerate() {
            let provider = ScriptedProvider::start(protocol, Script::always(turn(TEXT)))
                .await
                .unwrap();
            let settings = ModelSettings {
                stream,
                ..provider.settings()
            };
            let got = HttpModel::new(&settings, LONG)
                .unwrap()
                .complete(&prompt())
                .await;
            assert_eq!(
                got,
                Ok(reply(TEXT, Finish::Stop)),
                "{protocol} {stream} {at}"
            );
            let request = &provider.requests()[0];
            assert_eq!(
                (request.system.as_str(), request.user.as_str()),
                ("Review.", "NEW:1 + a"),
                "{protocol}"
            );
            assert!(
                request
                    .headers
                    .iter()
                    .any(|(_, value)| value.contains("key-of-the-test")),
                "{protocol}"
            );
            assert_eq!(request.is_streamed(), stream, "{protocol}");
        }
    }
}

const ONE: &str = r#"{"findings":[{"line":"NEW:1","summary":"a"},{"line":"NEW:2","summary":"#;
/// An answer whose first finding is complete in its first quarter.
fn long_text() -> String {
    format!("{ONE}\"{}\"}}]}}", "b".repeat(4_000))
}

#[tokio::test]
async fn complete_findings_of_a_broken_stream_are_kept() {
    for protocol in PROTOCOLS {
        for fault in [
            FaultKind::CutInsideAnswer,
            FaultKind::HalfJson,
            FaultKind::HangInsideAnswer,
        ] {
            let script = Script::always(Turn::Fail(fault, long_text()));
            let provider = ScriptedProvider::start(protocol, script).await.unwrap();
            let model = HttpModel::new(&provider.settings(), LONG).unwrap();
            let asked = prompt();
            let call = model.complete(&asked);
            let got = if fault.lasts() {
                provider.run_out(LONG, call).await
            } else {
                call.await
            };
            let got = got.unwrap_or_else(|error| panic!("{protocol} {fault:?}: {error}"));
            assert!(
                got.text.starts_with(ONE) && got.text.len() < long_text().len(),
                "{protocol} {fault:?}: {got:?}"
            );
            assert_eq!(
                (got.finish, got.usage.estimated),
                (Finish::Interrupted, true),
                "{protocol} {fault:?}"
            );
            let items = crate::reply::read(&got.text).unwrap();
            assert_eq!(
                (items.items.len(), items.cut),
                (1, true),
                "{protocol} {fault:?}"
            );
        }
    }
}

#[tokio::test]
async fn a_silent_stream_is_abandoned_before_the_time_limit_of_the_call() {
    let (call_time, halfway) = (IDLE * 100, IDLE * 2);
    for protocol in PROTOCOLS {
        let script = Script::always(Turn::Fail(FaultKind::HangInsideAnswer, "x".repeat(4_000)));
        let provider = ScriptedProvider::start(protocol, script).await.unwrap();
        let model = HttpModel::new(&provider.settings(), call_time).unwrap();
        let asked = prompt();
        let got = provider.run_out(halfway, model.complete(&asked)).await;
        assert_eq!(got, Err(CallError::TimedOut), "{protocol}");
    }
}

/// Rejects requests that match `is_refused`, with this message.
fn refusing(message: &'static str, is_refused: fn(&crate::testing::Request) -> bool) -> Script {
    Script::answering(move |request| {
        let error = json!({"error": {"message": message}}).to_string();
        if is_refused(request) {
            Turn::Status(400, error)
        } else {
            Turn::say(TEXT)
        }
    })
}

#[tokio::test]
async fn a_rejected_schema_is_omitted_from_then_on() {
    let has_schema = |request: &crate::testing::Request| {
        request.body.to_string().to_lowercase().contains("schema")
    };
    for (protocol, message) in PROTOCOLS.into_iter().zip([
        "'response_format' of type 'json_schema' is not supported",
        "Unsupported parameter: 'text.format'",
        "output_config.format: Extra inputs are not permitted",
        "Unknown name \"responseJsonSchema\" at 'generation_config'",
    ]) {
        let provider = ScriptedProvider::start(protocol, refusing(message, has_schema))
            .await
            .unwrap();
        let model = HttpModel::new(&provider.settings(), LONG).unwrap();
        for _ in 0..2 {
            assert_eq!(
                model.complete(&prompt()).await,
                Ok(reply(TEXT, Finish::Stop)),
                "{protocol}"
            );
        }
        let sent: Vec<_> = provider.requests().iter().map(has_schema).collect();
        assert_eq!(sent, [true, false, false], "{protocol}");
    }
}

#[tokio::test]
async fn a_schema_is_kept_if_omitting_it_does_not_help() {
    let script = refusing("response_format is invalid", |_| true);
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    for _ in 0..2 {
        assert_eq!(
            model.complete(&prompt()).await,
            Err(CallError::Refused(400))
        );
    }
    let sent: Vec<_> = provider
        .requests()
        .iter()
        .map(|request| request.body.get("response_format").is_some())
        .collect();
    assert_eq!(sent, [true, false, true, false]);
}

#[tokio::test]
async fn a_provider_that_rejects_streaming_gets_a_request_for_a_complete_answer() {
    let script = refusing(
        "Your organization must be verified to stream this model.",
        |request| request.is_streamed(),
    );
    let provider = ScriptedProvider::start(Protocol::OpenAiResponses, script)
        .await
        .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    for _ in 0..2 {
        assert_eq!(
            model.complete(&prompt()).await,
            Ok(reply(TEXT, Finish::Stop))
        );
    }
    let sent: Vec<_> = provider
        .requests()
        .iter()
        .map(|request| request.is_streamed())
        .collect();
    assert_eq!(sent, [true, false, false]);
}

#[tokio::test]
async fn configured_parameters_and_reasoning_are_sent() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let extra_body = json!({"provider": {"order": ["a"]}})
        .as_object()
        .unwrap()
        .clone();
    let settings = ModelSettings {
        extra_body,
        reasoning: Some(Reasoning::Low),
        ..provider.settings()
    };
    HttpModel::new(&settings, LONG)
        .unwrap()
        .complete(&prompt())
        .await
        .unwrap();
    let body = &provider.requests()[0].body;
    assert_eq!(
        (&body["provider"]["order"][0], &body["reasoning_effort"]),
        (&json!("a"), &json!("low"))
    );
}

#[tokio::test]
async fn a_slow_model_may_use_the_whole_time_limit() {
    let delay = Duration::from_millis(500);
    let turn = Turn::After(delay, Box::new(Turn::say(TEXT)));
    let provider = ScriptedProvider::start(Protocol::Gemini, Script::always(turn))
        .await
        .unwrap();
    let start = Instant::now();
    assert_eq!(ask(&provider, LONG).await, Ok(reply(TEXT, Finish::Stop)));
    assert!(start.elapsed() >= delay);
}

#[tokio::test]
async fn without_reported_usage_tokens_are_estimated_from_bytes() {
    let script = Script::always(Turn::Fail(FaultKind::NoUsage, TEXT.to_owned()));
    let provider = ScriptedProvider::start(Protocol::Anthropic, script)
        .await
        .unwrap();
    let usage = ask(&provider, LONG).await.unwrap().usage;
    let sent = provider.requests()[0]
        .header("content-length")
        .unwrap()
        .parse::<u64>()
        .unwrap();
    assert_eq!(usage.prompt_tokens, sent.div_ceil(3));
    assert_eq!(usage.completion_tokens, (TEXT.len() as u64).div_ceil(3));
    assert_eq!(
        usage.total_tokens,
        usage.prompt_tokens + usage.completion_tokens
    );
}

#[tokio::test]
async fn a_huge_answer_is_read_only_up_to_the_limit() {
    for (fault, bound) in [
        (FaultKind::Huge, REPLY_BYTES),
        (FaultKind::HugeError, ERROR_BYTES),
    ] {
        let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::fail(fault)))
            .await
            .unwrap();
        ask(&provider, LONG).await.unwrap_err();
        tokio::time::timeout(LONG, provider.hung_up())
            .await
            .expect("the answer was read to its end");
        // Only the buffers of the two sockets hold bytes beyond the limit.
        let written = provider.written();
        assert!(
            written < bound as u64 + 12_000_000,
            "{fault:?}: {written} bytes were read"
        );
    }
}

#[tokio::test]
async fn an_answer_that_is_too_large_is_not_read() {
    let script = Script::always(Turn::Status(200, " ".repeat(REPLY_BYTES + 1)));
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    assert_eq!(ask(&provider, LONG).await, Err(CallError::TooLarge));
}

#[tokio::test]
async fn a_call_that_is_dropped_closes_the_connection() {
    for fault in [FaultKind::HangBeforeAnswer, FaultKind::HangInsideAnswer] {
        let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::fail(fault)))
            .await
            .unwrap();
        let model = HttpModel::new(&provider.settings(), LONG).unwrap();
        let begun = async {
            while provider.requests().is_empty() {
                tokio::task::yield_now().await;
            }
        };
        let asked = prompt();
        tokio::select! {
            _ = model.complete(&asked) => panic!("{fault:?}: a provider that hangs answered"),
            () = begun => {}
        }
        tokio::time::timeout(LONG, provider.hung_up())
            .await
            .expect("the connection stays open");
    }
}

#[tokio::test]
async fn a_connection_is_reused() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    for _ in 0..5 {
        model.complete(&prompt()).await.unwrap();
    }
    assert_eq!((provider.requests().len(), provider.connections()), (5, 1));
}

#[tokio::test]
async fn an_address_without_a_server_is_a_connection_error() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let base_url = format!("http://{}", listener.local_addr().unwrap());
    drop(listener);
    let model = HttpModel::new(
        &ModelSettings {
            base_url,
            ..provider.settings()
        },
        LONG,
    )
    .unwrap();
    assert_eq!(model.complete(&prompt()).await, Err(CallError::Connection));
}

#[tokio::test]
async fn configured_headers_are_sent_and_replace_those_of_the_protocol() {
    let provider = ScriptedProvider::start(Protocol::Anthropic, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let headers = [("anthropic-version", "2099-01-01"), ("X-Gateway", "g")];
    let headers = headers
        .map(|(name, value)| (name.to_owned(), Key::new(value)))
        .to_vec();
    let settings = ModelSettings {
        headers,
        api_key: None,
        ..provider.settings()
    };
    HttpModel::new(&settings, LONG)
        .unwrap()
        .complete(&prompt())
        .await
        .unwrap();
    let request = &provider.requests()[0];
    assert_eq!(request.header("anthropic-version"), Some("2099-01-01"));
    assert_eq!(request.header("x-gateway"), Some("g"));
    assert_eq!(request.header("x-api-key"), None);
    assert!(
        request
            .header("user-agent")
            .unwrap()
            .starts_with("hunkwise/")
    );
}

/// Accepts the parameters of one dialect only, as a gateway to OpenAI's reasoning models does.
fn strict(refused: &'static str) -> Script {
    Script::answering(move |request| {
        if request.body.get(refused).is_none() {
            return Turn::say(TEXT);
        }
        let message =
            format!("Unsupported parameter: '{refused}' is not supported with this model.");
        Turn::Status(
            400,
            json!({"error": {"message": message, "code": "unsupported_parameter"}}).to_string(),
        )
    })
}

#[tokio::test]
async fn a_gateway_that_rejects_a_parameter_gets_the_other_dialect_from_then_on() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, strict("max_tokens"))
        .await
        .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    model.complete(&prompt()).await.unwrap();
    model.complete(&prompt()).await.unwrap();
    let asked = |request: &crate::testing::Request| request.body.get("max_tokens").is_some();
    assert_eq!(
        provider.requests().iter().map(asked).collect::<Vec<_>>(),
        [true, false, false]
    );
}

#[tokio::test]
async fn a_dialect_that_does_not_help_is_not_remembered() {
    let provider = ScriptedProvider::start(Protocol::OpenAi, strict("messages"))
        .await
        .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    assert_eq!(
        model.complete(&prompt()).await,
        Err(CallError::Refused(400))
    );
    assert_eq!(
        provider.requests().len(),
        1,
        "the complaint names no parameter of the dialects"
    );
    let always =
        json!({"error": {"message": "`temperature` is deprecated for this model."}}).to_string();
    let provider =
        ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::Status(400, always)))
            .await
            .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    for _ in 0..2 {
        assert_eq!(
            model.complete(&prompt()).await,
            Err(CallError::Refused(400))
        );
    }
    assert_eq!(provider.requests().len(), 4);
}

#[tokio::test]
async fn a_proxy_is_used_except_for_addresses_on_this_machine() {
    let proxy = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let provider = ScriptedProvider::start(Protocol::OpenAi, Script::always(Turn::say(TEXT)))
        .await
        .unwrap();
    let through = Some(Key::new(format!("http://{}", proxy.local_addr().unwrap())));
    let local = ModelSettings {
        proxy: through.clone(),
        ..provider.settings()
    };
    HttpModel::new(&local, LONG)
        .unwrap()
        .complete(&prompt())
        .await
        .unwrap();

    let elsewhere = ModelSettings {
        base_url: "http://provider.invalid/v1".to_owned(),
        ..local
    };
    let first_line = async {
        let (mut stream, _) = proxy.accept().await.unwrap();
        let mut start = [0; 53];
        stream.read_exact(&mut start).await.unwrap();
        stream
            .write_all(b"HTTP/1.1 503 -\r\ncontent-length: 0\r\n\r\n")
            .await
            .unwrap();
        String::from_utf8(start.to_vec()).unwrap()
    };
    let model = HttpModel::new(&elsewhere, LONG).unwrap();
    let asked = prompt();
    let (line, reply) = tokio::join!(first_line, model.complete(&asked));
    assert_eq!(
        line,
        "POST http://provider.invalid/v1/chat/completions HTTP"
    );
    assert_eq!(reply, Err(CallError::Unavailable(503, None)));
}

#[test]
fn an_invalid_setting_is_named_without_its_value() {
    let provider = |change: fn(&mut ModelSettings)| {
        let mut settings = ModelSettings::new(Protocol::OpenAi, "m", "https://provider.example/v1");
        change(&mut settings);
        HttpModel::new(&settings, LONG).err()
    };
    let header = |name: &str| Some(ClientError::Header(name.to_owned()));
    assert_eq!(provider(|_| ()), None);
    assert_eq!(
        provider(|s| s.base_url = "provider.example".to_owned()),
        Some(ClientError::BaseUrl)
    );
    assert_eq!(
        provider(|s| s.api_key = Some(Key::new("s3cret\n"))),
        Some(ClientError::ApiKey)
    );
    assert_eq!(
        provider(|s| s.headers = vec![("bad name".to_owned(), Key::new("x"))]),
        header("bad name")
    );
    assert_eq!(
        provider(|s| s.headers = vec![("x".to_owned(), Key::new("s3cret\0"))]),
        header("x")
    );
    assert_eq!(
        provider(|s| s.headers = vec![("Content-Length".to_owned(), Key::new("1"))]),
        header("Content-Length")
    );
    assert_eq!(
        provider(|s| s.proxy = Some(Key::new("http://"))),
        Some(ClientError::Proxy)
    );
    assert_eq!(
        provider(|s| s.ca_pem = Some(b"no certificate".to_vec())),
        Some(ClientError::CertificateAuthority)
    );
    let two = provider(|s| {
        s.api_key = Some(Key::new("s3cret"));
        s.credential_command = vec!["gcloud".to_owned()];
    });
    assert_eq!(two, Some(ClientError::TwoKeys));
    let extra =
        provider(|s| s.extra_body = json!({"messages": []}).as_object().unwrap().clone()).unwrap();
    assert_eq!(
        extra.to_string(),
        "extra_body: /messages cannot be set here because it comes from the prompt: remove it"
    );
    assert!(
        !ClientError::Header("x".to_owned())
            .to_string()
            .contains("s3cret")
    );
}

#[tokio::test]
async fn rejected_parameters_are_left_out_one_after_the_other_under_any_status() {
    let script = Script::answering(|request| {
        let body = &request.body;
        let detail = |name: &str| {
            let entry = json!({"type": "extra_forbidden", "loc": ["body", name], "msg": "Extra inputs are not permitted"});
            json!({"object": "error", "message": {"detail": [entry]}}).to_string()
        };
        let refused = [
            "stream_options", "response_format", "temperature", "reasoning_effort",
        ]
        .into_iter()
        .find(|name| body.get(name).is_some());
        match refused {
            Some("stream_options") => Turn::Status(422, detail("stream_options")),
            Some("temperature") => Turn::Status(
                500,
                json!({"error": "temperature is not supported"}).to_string(),
            ),
            Some("reasoning_effort") => Turn::Status(
                404,
                json!({"detail": "unknown parameter reasoning_effort"}).to_string(),
            ),
            Some(name) => Turn::Status(400, detail(name)),
            None => Turn::say(TEXT),
        }
    });
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    let settings = ModelSettings {
        reasoning: Some(crate::settings::Reasoning::Low),
        ..provider.settings()
    };
    let model = HttpModel::new(&settings, LONG).unwrap();
    for requests in [5, 6] {
        assert_eq!(
            model.complete(&prompt()).await,
            Ok(reply(TEXT, Finish::Stop))
        );
        assert_eq!(
            provider.requests().len(),
            requests,
            "what worked is remembered"
        );
    }
    assert!(provider.requests()[5].is_streamed());
}

#[tokio::test]
async fn a_server_that_rejects_both_dialects_is_not_asked_forever() {
    let script = Script::answering(|request| {
        let own = request.body.get("max_completion_tokens").is_some();
        let name = if own {
            "max_completion_tokens"
        } else {
            "max_tokens"
        };
        Turn::Status(
            400,
            json!({"error": {"message": format!("{name} is not supported")}}).to_string(),
        )
    });
    let provider = ScriptedProvider::start(Protocol::OpenAi, script)
        .await
        .unwrap();
    let model = HttpModel::new(&provider.settings(), LONG).unwrap();
    assert_eq!(
        model.complete(&prompt()).await,
        Err(CallError::Refused(400))
    );
    assert_eq!(provider.requests().len(), 2);
}
