//! Reviews: the response, server-sent events, failures, and usage.

use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use server::{Limits, Settings};
use store::Usage;
use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::support::{Act, DIFF, Gate, Logs, Script, Service};

/// Timeout, longer than an event takes to arrive.
const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_review_answers_with_anchored_findings() {
    let service = Service::with(Settings::default(), Act::Find).await;
    let (user, path) = service.reviewer().await;
    let reference = " ci-4711 \u{1f642}\u{0}\n";
    let body = json!({ "diff": DIFF, "targetLanguage": "PYTHON", "clientReference": reference });
    let answer = service.post(&path, &body).token(&user).send().await;
    let review = answer.ok();
    assert_eq!(review["requestId"], answer.header("x-request-id"));
    assert_eq!(review["clientReference"], reference, "byte for byte");
    let findings = review["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1);
    for (name, value) in [
        ("filePath", json!("src/pay.py")),
        ("lineNumber", json!(2)),
        ("lineSide", json!("NEW")),
        ("oldLineNumber", Value::Null),
        ("hunkHeader", json!("@@ -1,2 +1,3 @@ def settle(order):")),
        ("priority", json!("P2")),
        ("category", json!("LOGIC_BUG")),
        ("suggestedFix", Value::Null),
        ("ruleId", json!("test/added-line")),
        ("confidence", json!(0.9)),
        ("startColumn", Value::Null),
        ("endLine", Value::Null),
        ("endColumn", Value::Null),
        ("relatedLocations", json!([])),
    ] {
        assert_eq!(
            findings[0].get(name),
            Some(&value),
            "{name} is always present"
        );
    }
    let metadata = &review["metadata"];
    assert_eq!(
        (
            &metadata["chunksAnalyzed"], &metadata["engines"], &metadata["model"]
        ),
        (&json!(1), &json!(["script"]), &Value::Null)
    );
    assert_eq!(metadata.get("modelUse"), Some(&Value::Null));
    assert_eq!(
        metadata["tokenUsage"],
        json!({ "promptTokens": 10, "completionTokens": 2, "totalTokens": 12, "estimated": false })
    );
}

#[tokio::test]
async fn optional_properties_may_be_absent_or_null() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    for body in [
        json!({ "diff": DIFF }),
        json!({ "diff": DIFF, "targetLanguage": null, "clientReference": null }),
        json!({ "diff": DIFF, "targetLanguage": "Auto", "clientReference": "" }),
        json!({ "diff": DIFF, "targetLanguage": "c++" }),
    ] {
        let review = service.post(&path, &body).token(&user).send().await.ok();
        assert_eq!(review["clientReference"], body["clientReference"]);
        assert_eq!(review["findings"], json!([]));
    }
}

#[tokio::test]
async fn a_failed_analysis_is_never_an_empty_review() {
    for (act, seconds, status, code) in [
        (Act::Fail, 600, 502, "ANALYSIS_FAILED"),
        (Act::Hang, 0, 504, "ANALYSIS_TIMEOUT"),
        (Act::Panic, 600, 500, "INTERNAL"),
    ] {
        let service = Service::limited(
            Limits {
                analysis_seconds: seconds,
                ..Limits::default()
            },
            act,
        )
        .await;
        let (user, path) = service.reviewer().await;
        service
            .review(&user, &path)
            .send()
            .await
            .expect(status, code);
        let streamed = service
            .review(&user, &path)
            .header("accept", "text/event-stream")
            .send()
            .await;
        let events = events(streamed.text());
        let (name, data) = events.last().unwrap();
        assert_eq!(
            (name.as_str(), &data["code"], &data["status"]),
            ("error", &json!(code), &json!(status))
        );
        assert_eq!(data["requestId"], streamed.header("x-request-id"));
        assert!(events.iter().all(|(name, _)| name != "review"));
    }
}

/// Name and data of each event.
fn events(text: &str) -> Vec<(String, Value)> {
    let blocks = text.split("\n\n").filter(|block| block.contains("event:"));
    let field = |block: &str, name: &str| {
        let value = block
            .lines()
            .find_map(|line| line.strip_prefix(name))
            .unwrap();
        value.trim_start().to_owned()
    };
    blocks
        .map(|block| {
            (
                field(block, "event:"),
                serde_json::from_str(&field(block, "data:")).unwrap(),
            )
        })
        .collect()
}

#[tokio::test]
async fn a_stream_has_the_progress_and_then_the_same_review() {
    let service = Service::with(Settings::default(), Act::Find).await;
    let (user, path) = service.reviewer().await;
    let mut plain = service.review(&user, &path).send().await.ok();
    let streamed = service
        .review(&user, &path)
        .header("accept", "text/event-stream")
        .send()
        .await;
    assert_eq!(streamed.header("content-type"), "text/event-stream");
    let events = events(streamed.text());
    let names: Vec<&str> = events.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["progress", "review"]);
    assert_eq!(
        events[0].1,
        json!({ "chunksDone": 1, "chunksTotal": 1, "findings": 1 })
    );
    let mut review = events[1].1.clone();
    assert_eq!(review["requestId"], streamed.header("x-request-id"));
    for body in [&mut plain, &mut review] {
        body["requestId"] = Value::Null;
    }
    assert_eq!(review, plain);
}

/// Decodes the part of an encoded stream that has arrived.
fn decoded(coding: &str, bytes: &[u8]) -> String {
    let mut text = Vec::new();
    // The end may be missing.
    let _ = match coding {
        "gzip" => flate2::read::GzDecoder::new(bytes).read_to_end(&mut text),
        "br" => brotli::Decompressor::new(bytes, 4_096).read_to_end(&mut text),
        _ => bytes.take(u64::MAX).read_to_end(&mut text),
    };
    String::from_utf8(text).unwrap()
}

#[tokio::test]
async fn a_compressed_stream_is_flushed_after_each_event_and_has_the_same_content() {
    let two_files = format!("{DIFF}{}", DIFF.replace("pay.py", "cart.py"));
    let mut streams = Vec::new();
    for coding in ["", "gzip", "br"] {
        let permits = Arc::new(Semaphore::new(1));
        let service = Service::with(Settings::default(), Act::Wait(Arc::clone(&permits))).await;
        let (user, path) = service.reviewer().await;
        let call = service
            .post(&path, &json!({ "diff": two_files }))
            .token(&user);
        let call = call
            .header("accept", "text/event-stream")
            .header("accept-encoding", coding);
        let mut response = tower::ServiceExt::oneshot(service.router.clone(), call.into_request())
            .await
            .unwrap();
        let used = response
            .headers()
            .get("content-encoding")
            .map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(used.as_deref().unwrap_or_default(), coding);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut bytes = Vec::new();
        let mut more = async |bytes: &mut Vec<u8>| {
            let frame = timeout(TIMEOUT, http_body_util::BodyExt::frame(response.body_mut())).await;
            let frame = frame
                .expect("completed events are sent")
                .map(|frame| frame.unwrap().into_data().unwrap());
            frame
                .inspect(|data| bytes.extend_from_slice(data))
                .is_some()
        };
        while !decoded(coding, &bytes).ends_with("\n\n") {
            assert!(more(&mut bytes).await, "the stream continues");
        }
        let first = events(&decoded(coding, &bytes));
        assert_eq!(
            first,
            [(
                "progress".to_owned(),
                json!({ "chunksDone": 1, "chunksTotal": 2, "findings": 1 })
            )]
        );
        permits.add_permits(1);
        while more(&mut bytes).await {}
        let mut all = events(&decoded(coding, &bytes));
        let (name, review) = all.last_mut().unwrap();
        assert_eq!(
            (name.as_str(), review["findings"].as_array().unwrap().len()),
            ("review", 2)
        );
        review["requestId"] = Value::Null;
        review["metadata"]["processingMs"] = Value::Null;
        streams.push(all);
    }
    assert!(
        streams.iter().all(|stream| *stream == streams[0]),
        "{streams:?}"
    );
}

#[tokio::test]
async fn findings_of_the_first_engine_are_streamed_before_the_next_one_ends() {
    let permits = Arc::new(Semaphore::new(0));
    let model = Script::with_model(Act::Wait(Arc::clone(&permits)));
    let service =
        Service::with_engines(Settings::default(), Some(Script::new(Act::Find)), model).await;
    let (user, path) = service.reviewer().await;
    let call = service
        .post(&path, &json!({ "diff": DIFF }))
        .token(&user)
        .header("accept", "text/event-stream");
    let mut response = tower::ServiceExt::oneshot(service.router.clone(), call.into_request())
        .await
        .unwrap();
    let mut text = String::new();
    let mut more = async |text: &mut String| {
        let frame = timeout(TIMEOUT, http_body_util::BodyExt::frame(response.body_mut())).await;
        let frame = frame
            .expect("completed events are sent")
            .map(|frame| frame.unwrap().into_data().unwrap());
        frame
            .inspect(|data| text.push_str(str::from_utf8(data).unwrap()))
            .is_some()
    };
    while !text.contains("event: findings") {
        assert!(more(&mut text).await, "the stream continues: {text}");
    }
    service.engine.running(1).await;
    permits.add_permits(1);
    while more(&mut text).await {}
    let events = events(&text);
    let early = events.iter().find(|(name, _)| name == "findings").unwrap();
    let (name, review) = events.last().unwrap();
    assert_eq!(
        (name.as_str(), early.1.as_object().unwrap().len()),
        ("review", 1)
    );
    let fingerprints = |body: &Value| -> Vec<Value> {
        body["findings"]
            .as_array()
            .unwrap()
            .iter()
            .map(|finding| finding["fingerprint"].clone())
            .collect()
    };
    assert_eq!(
        (fingerprints(&early.1).len(), fingerprints(&early.1)),
        (1, fingerprints(review))
    );
}

#[tokio::test]
async fn a_refusal_before_the_analysis_is_a_plain_error_for_a_stream_too() {
    let service = Service::start().await;
    let (user, path) = service.reviewer().await;
    let answer = service
        .post(&path, &json!({ "diff": "" }))
        .token(&user)
        .header("accept", "text/event-stream")
        .send()
        .await;
    answer.expect(400, "INVALID_REQUEST");
}

#[tokio::test]
async fn the_slot_is_free_once_the_answer_has_arrived() {
    let limits = Limits {
        reviews_per_organization: 1,
        queue_seconds: 0,
        ..Limits::default()
    };
    for act in [Act::Find, Act::Fail] {
        let service = Service::limited(limits.clone(), act).await;
        let (user, path) = service.reviewer().await;
        for accept in ["application/json", "text/event-stream"].repeat(10) {
            let answer = service
                .review(&user, &path)
                .header("accept", accept)
                .send()
                .await;
            assert_ne!(answer.status.as_u16(), 429, "{}", answer.text());
        }
    }
}

#[tokio::test]
async fn a_disconnecting_client_cancels_its_review_and_frees_its_slot() {
    let limits = Limits {
        reviews_per_organization: 1,
        queue_seconds: 0,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Hang).await;
    let (user, path) = service.reviewer().await;
    for accept in ["application/json", "text/event-stream"] {
        let client = service
            .begin(|| {
                service
                    .review(&user, &path)
                    .header("accept", accept)
                    .into_request()
            })
            .await;
        service
            .review(&user, &path)
            .send()
            .await
            .expect(429, "TOO_MANY_REVIEWS");
        client.abort();
        assert!(client.await.unwrap_err().is_cancelled());
        service.engine.running(0).await;
    }
    let mut statuses = Logs::statuses_of(&user.id.to_string());
    let freed = 1 + statuses.iter().position(|status| *status == 499).unwrap();
    let waited = statuses[freed..]
        .iter()
        .take_while(|status| **status == 429)
        .count();
    statuses.drain(freed..freed + waited);
    assert_eq!(
        statuses,
        [429, 499, 200, 429],
        "the stream had begun; the plain request was never answered"
    );
}

#[tokio::test]
async fn a_review_waits_for_its_turn() {
    let permits = Arc::new(Semaphore::new(0));
    let limits = Limits {
        reviews_per_organization: 1,
        queue_seconds: 3_600,
        ..Limits::default()
    };
    let service = Service::limited(limits, Act::Wait(Arc::clone(&permits))).await;
    let (user, path) = service.reviewer().await;
    let both = async {
        tokio::join!(
            service.review(&user, &path).send(),
            service.review(&user, &path).send()
        )
    };
    let release = async {
        service.engine.running(1).await;
        permits.add_permits(2);
    };
    let ((first, second), ()) = tokio::join!(both, release);
    assert_eq!(first.ok()["findings"], second.ok()["findings"]);
}

#[tokio::test]
async fn only_counts_are_stored() {
    let service = Service::with(Settings::default(), Act::Find).await;
    let (user, path) = service.reviewer().await;
    for _ in 0..2 {
        service.review(&user, &path).send().await.ok();
    }
    let organization = path.split('/').nth(3).unwrap().parse().unwrap();
    let day = ("2026-11-20", "2026-11-20");
    let [member] = service
        .store
        .list_usage_of_members(organization, day, None, 9)
        .await
        .unwrap()
        .try_into()
        .unwrap();
    let expected = Usage {
        reviews: 2,
        findings: [0, 0, 2, 0],
        prompt_tokens: 20,
        completion_tokens: 4,
    };
    assert_eq!((member.user_id, member.usage), (user.id, expected));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_computing_review_does_not_block_other_requests() {
    let gate = Arc::new(Gate::default());
    let service =
        Arc::new(Service::with(Settings::default(), Act::Compute(Arc::clone(&gate))).await);
    let (user, path) = service.reviewer().await;
    let reviewing = tokio::spawn({
        let (service, user) = (Arc::clone(&service), user.clone());
        async move { service.review(&user, &path).send().await }
    });
    service.engine.running(1).await;
    // The only thread of the runtime is computing.
    let other = tokio::spawn(async move { service.get("/v1/limits").token(&user).send().await });
    other.await.unwrap().ok();
    gate.open();
    assert_eq!(
        reviewing.await.unwrap().ok()["findings"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn an_idle_stream_has_a_comment_every_15_seconds() {
    let service = Service::with(Settings::default(), Act::Hang).await;
    let (user, path) = service.reviewer().await;
    let request = service
        .review(&user, &path)
        .header("accept", "text/event-stream")
        .into_request();
    let mut response = tower::ServiceExt::oneshot(service.router.clone(), request)
        .await
        .unwrap();
    service.engine.running(1).await;
    tokio::time::pause();
    let before = tokio::time::Instant::now();
    for count in 1..=3 {
        let frame = http_body_util::BodyExt::frame(response.body_mut())
            .await
            .unwrap()
            .unwrap();
        assert!(frame.into_data().unwrap().starts_with(b":"));
        assert_eq!(before.elapsed().as_secs().div_ceil(15), count);
    }
}
