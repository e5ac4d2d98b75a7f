//! Tests the client against the real service and against invalid responses.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use review::output::json::ReviewBody;
use review::{ChunkStatus, Engine, Event, Progress, Report, Task};
use server::{Clock, State, Transport};
use settings::Secret;
use store::{NewEntitlement, NewToken, Scope, Store};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::{Client, PlainHttp, Request};
use crate::outcome::{Error, Exit};

const DIFF: &str = "--- a/x.py\n+++ b/x.py\n@@ -1 +1 @@\n-a\n+b\n";
/// Longer than any operation takes; only a failing test waits this long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// An engine that finds nothing, or fails.
#[derive(Clone)]
struct Idle(ChunkStatus);

impl Engine for Idle {
    fn name(&self) -> &'static str {
        "idle"
    }

    fn review<'a>(&'a self, task: &'a Task<'a, '_>, report: &'a dyn Report) -> BoxFuture<'a, ()> {
        for chunk in 0..task.chunks.len() {
            report.report(Event::Ended {
                chunk,
                status: self.0.clone(),
            });
        }
        Box::pin(std::future::ready(()))
    }
}

/// The result and the progress events.
type Seen = (Result<ReviewBody, Error>, Vec<Progress>);

async fn review(base: &str, token: &str, organization: &str) -> Seen {
    let client = Client::new(
        base,
        Secret::new(token.to_owned()),
        TIMEOUT,
        PlainHttp::default(),
    )
    .unwrap();
    let request = Request {
        diff: DIFF,
        ..Request::default()
    };
    let mut seen = Vec::new();
    let mut watch = |progress| seen.push(progress);
    let result = client
        .review(organization, &request, Some(&mut watch))
        .await;
    (result, seen)
}

/// Requests a review from the real service, with an engine that ends with this status.
async fn review_by_service(status: ChunkStatus) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!(
        "sqlite://{}",
        folder.path().join("store.db").display()
    ))
    .await
    .unwrap();
    let now = Clock::system().now();
    let user = store.insert_user("Someone", false, now).await.unwrap().id;
    let grant = NewEntitlement {
        product: "diff-review".to_owned(),
        expires_at: None,
        monthly_review_limit: None,
    };
    let organization = store
        .insert_organization("Acme", user, Some(&grant), now)
        .await
        .unwrap()
        .id;
    let (name, scopes) = ("test".to_owned(), Scope::ALL.to_vec());
    let token = NewToken {
        user,
        name,
        scopes,
        organization: None,
        expires_at: None,
    };
    let (_, secret) = store.insert_token(token, now).await.unwrap();
    let state = State::new(
        store,
        vec![Arc::new(Idle(status))],
        server::Settings::default(),
        Clock::system(),
    );
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let transport = Transport::default();
    let serving = server::serve(
        listener,
        server::router(state),
        &transport,
        std::future::pending(),
    );
    let organization = organization.to_string();
    tokio::select! {
        seen = review(&base, secret.expose(), &organization) => seen,
        ended = serving => panic!("the service ended: {ended:?}"),
    }
}

/// Requests a review from a server that responds with these bytes. Also returns the request.
async fn review_by(answer: impl AsRef<[u8]>) -> (Seen, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let serving = async {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut sent = Vec::new();
        while !sent.ends_with(b"}") {
            assert_ne!(stream.read_buf(&mut sent).await.unwrap(), 0);
        }
        // The client may have closed the connection already.
        let _ = stream.write_all(answer.as_ref()).await;
        String::from_utf8(sent).unwrap()
    };
    tokio::join!(review(&base, "hw_secret", "org_1"), serving)
}

fn streamed(events: &str) -> String {
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: Text/Event-Stream; charset=utf-8\r\nconnection: close\r\n\r\n{events}"
    )
}

fn empty_review() -> String {
    let usage = r#"{"promptTokens":0,"completionTokens":0,"totalTokens":0,"estimated":false}"#;
    format!(
        r#"{{"requestId":"r","clientReference":null,"findings":[],"metadata":{{"processingMs":1,"chunksAnalyzed":1,"tokenUsage":{usage},"warnings":[],"engines":["idle"],"model":null}}}}"#
    )
}

#[tokio::test]
async fn the_service_reports_progress_and_then_the_findings() {
    let (result, seen) = review_by_service(ChunkStatus::Done).await;
    assert_eq!(result.unwrap().metadata.engines, ["idle"]);
    assert_eq!(
        seen.last(),
        Some(&Progress {
            chunks_done: 1,
            chunks_total: 1,
            findings: 0
        })
    );
}

#[tokio::test]
async fn a_failure_in_a_stream_is_reported_like_any_other() {
    let (result, seen) = review_by_service(ChunkStatus::Failed("x".to_owned())).await;
    let error = result.unwrap_err();
    assert_eq!(error.exit, Exit::Failure);
    assert!(
        error
            .message
            .starts_with("127.0.0.1 refused: ANALYSIS_FAILED: "),
        "{error:?}"
    );
    assert!(error.message.contains("\n  request "), "{error:?}");
    assert_eq!(seen.len(), 1);
}

#[tokio::test]
async fn events_are_requested_and_unknown_ones_are_ignored() {
    let review = empty_review();
    let events = format!(
        ": a comment\n\nevent: progress\ndata: {{\"chunksDone\":1,\"chunksTotal\":3,\"findings\":2,\"new\":0}}\n\n\
         event: weather\ndata: sunny\n\ndata: no name\n\nevent: progress\ndata: nonsense\n\nevent: review\nid: 7\ndata: {review}\n\n"
    );
    let ((result, seen), sent) = review_by(streamed(&events)).await;
    assert_eq!(result.unwrap().metadata.engines, ["idle"]);
    assert_eq!(
        seen,
        [Progress {
            chunks_done: 1,
            chunks_total: 3,
            findings: 2
        }]
    );
    assert!(sent.contains("accept: text/event-stream\r\n"), "{sent}");
}

#[tokio::test]
async fn a_service_without_events_is_supported() {
    let review = empty_review();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        review.len()
    );
    let ((result, seen), _) = review_by(head + &review).await;
    assert_eq!(
        (result.unwrap().metadata.engines, seen),
        (vec!["idle".to_owned()], vec![])
    );
}

#[tokio::test]
async fn unknown_warnings_of_a_newer_service_are_accepted() {
    let warning = r#"{"code":"NOT_KNOWN_YET","message":"m","filePath":null}"#;
    let review = empty_review().replace(r#""warnings":[]"#, &format!(r#""warnings":[{warning}]"#));
    let ((result, _), _) = review_by(streamed(&format!("event: review\ndata: {review}\n\n"))).await;
    assert_eq!(result.unwrap().metadata.warnings[0].code, "NOT_KNOWN_YET");
}

#[tokio::test]
async fn a_stream_without_an_end_is_a_failure_and_never_an_empty_review() {
    let review = empty_review();
    for (events, expected) in [
        (String::new(), "the connection ended before the review did"),
        (
            "event: progress\ndata: {}\n\n".to_owned(),
            "the connection ended before the review did",
        ),
        (
            format!("event: review\ndata: {review}\n"),
            "the connection ended before the review did",
        ),
        (
            "event: review\ndata: {}\n\n".to_owned(),
            "the response is not a review",
        ),
        (
            "event: error\ndata: oops\n\n".to_owned(),
            "the response is not from hunkwise",
        ),
    ] {
        let ((result, _), _) = review_by(streamed(&events)).await;
        let error = result.unwrap_err();
        assert_eq!(error.exit, Exit::Failure, "{events}: {error:?}");
        assert!(error.message.contains(expected), "{events}: {error:?}");
    }
}

#[tokio::test]
async fn an_endless_stream_is_aborted() {
    let line = format!("data: {}\n", "x".repeat(1 << 20));
    for (stream, expected) in [
        (
            line.repeat(34),
            "one event of the stream is longer than 33554432 bytes",
        ),
        (
            format!("{line}\n").repeat(66),
            "the response is longer than 67108864 bytes",
        ),
    ] {
        let ((result, _), _) = review_by(streamed(&stream)).await;
        let error = result.unwrap_err();
        assert!(error.message.ends_with(expected), "{}", error.message);
    }
}
