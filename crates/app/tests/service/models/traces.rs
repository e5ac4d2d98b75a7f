//! Propagation of the caller's trace to a provider.

use llm::Protocol;
use llm::testing::{Script, ScriptedProvider, Turn};

use super::{ended, review, reviewer, serve_with};
use crate::support::Place;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const TRACE_CONTEXT: &str = "trace_context = true";

/// The trace headers of each call to the provider in a review with a caller's trace.
async fn trace_headers(collector: bool, model: &'static str) -> Vec<Option<String>> {
    let provider = ScriptedProvider::start(
        Protocol::OpenAi,
        Script::always(Turn::say(r#"{"findings":[]}"#)),
    )
    .await;
    let provider = provider.unwrap();
    let url = provider.base_url().to_owned();
    let reviewed = tokio::task::spawn_blocking(move || {
        let place = Place::new();
        // The collector does not exist; another test checks its data.
        let telemetry = "HUNKWISE_TELEMETRY__OTLP_ENDPOINT";
        let place = if collector {
            place.variable(telemetry, "http://127.0.0.1:1")
        } else {
            place
        };
        let serving = serve_with(&place, &url, 0, model);
        let (token, path) = reviewer(&place, &serving);
        let caller =
            format!("{token}\r\nTraceparent: 00-{TRACE}-{CALLER}-01\r\nTracestate: a=canary");
        review(&serving, &caller, &path);
        ended(serving);
    });
    reviewed.await.unwrap();
    let requests = provider.requests();
    assert!(
        !requests.is_empty()
            && requests
                .iter()
                .all(|request| !format!("{:?}", request.headers).contains("canary"))
    );
    let header = |headers: &[(String, String)]| {
        headers
            .iter()
            .find(|(name, _)| name == "traceparent")
            .cloned()
    };
    requests
        .iter()
        .map(|request| header(&request.headers).map(|(_, value)| value))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_callers_trace_is_passed_to_a_provider_if_enabled() {
    let headers = trace_headers(true, TRACE_CONTEXT).await;
    let mut spans: Vec<&str> = Vec::new();
    for parent in &headers {
        let fields: Vec<&str> = parent.as_deref().unwrap().split('-').collect();
        assert_eq!(
            (fields.len(), fields[0], fields[1], fields[3]),
            (4, "00", TRACE, "01"),
            "{headers:?}"
        );
        assert!(fields[2].len() == 16 && fields[2] != CALLER, "{headers:?}");
        spans.push(fields[2]);
    }
    let calls = spans.len();
    spans.sort_unstable();
    spans.dedup();
    assert_eq!(spans.len(), calls, "each call has its own span");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_trace_is_passed_to_a_provider_unless_enabled_and_present() {
    assert!(trace_headers(true, "").await.iter().all(Option::is_none));
    assert!(
        trace_headers(false, TRACE_CONTEXT)
            .await
            .iter()
            .all(Option::is_none)
    );
}
