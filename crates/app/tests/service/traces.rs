//! Traces, as received by a collector.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message as _;
use rustix::process::Signal;

use crate::serve::{CANARY, Fixture, body};
use crate::support::Place;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// A collector on loopback: the head and body of each request.
fn collector() -> (SocketAddr, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || take(stream, &sender));
        }
    });
    (address, receiver)
}

/// Reads requests until the connection ends.
fn take(mut stream: TcpStream, sender: &Sender<(String, Vec<u8>)>) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stream.read(&mut buffer) {
        bytes.extend_from_slice(&buffer[..count]);
        let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let length = head.lines().find_map(|line| {
            line.to_lowercase()
                .strip_prefix("content-length: ")?
                .parse()
                .ok()
        });
        let length: usize = length.unwrap();
        if bytes.len() >= end + 4 + length {
            let body = bytes.drain(..end + 4 + length).skip(end + 4).collect();
            let _test_is_over = sender.send((head, body));
            stream
                .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                .unwrap();
        }
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_review_is_one_trace_within_the_callers_and_contains_no_code() {
    let (address, received) = collector();
    let place = Place::new()
        .variable(
            "HUNKWISE_TELEMETRY__OTLP_ENDPOINT",
            &format!("http://{address}/"),
        )
        .variable("HUNKWISE_TELEMETRY__OTLP_HEADERS", "X-Key: sesame")
        .variable("HUNKWISE_TELEMETRY__SERVICE_NAME", "review-test");
    let fixture = Fixture::at(place, &[]);
    let token = format!(
        "{}\r\nTraceparent: 00-{TRACE}-{CALLER}-00\r\nTracestate: a={CANARY}",
        fixture.token
    );
    let (status, review) = fixture.serving.send("POST", &fixture.path, &token, &body());
    assert_eq!(status, 200, "{review}");
    fixture.serving.process.signal(Signal::TERM);
    let ended = fixture.serving.process.end();
    assert_eq!(ended.status, 0, "{ended:?}");
    let mut spans: Vec<Span> = Vec::new();
    for (head, body) in received.try_iter() {
        assert!(
            head.starts_with("POST /v1/traces HTTP/1.1") && head.contains("x-key: sesame"),
            "{head}"
        );
        for secret in [CANARY, &fixture.token, &fixture.path] {
            assert!(
                !body
                    .windows(secret.len())
                    .any(|bytes| bytes == secret.as_bytes()),
                "{secret}"
            );
        }
        let sent = ExportTraceServiceRequest::decode(body.as_slice()).unwrap();
        for resource in sent.resource_spans {
            assert!(format!("{:?}", resource.resource).contains("review-test"));
            spans.extend(
                resource
                    .scope_spans
                    .into_iter()
                    .flat_map(|scope| scope.spans),
            );
        }
    }
    spans.retain(|span| hex(&span.trace_id) == TRACE);
    let named = |name: &str| {
        spans
            .iter()
            .find(|span| span.name == name)
            .unwrap_or_else(|| panic!("{name}: {spans:#?}"))
    };
    let request = named("POST /v1/organizations/{organizationId}/reviews/diff/sync");
    let (review, engine) = (named("review"), named("engine"));
    assert_eq!(hex(&request.parent_span_id), CALLER);
    assert_eq!(
        (&review.parent_span_id, &engine.parent_span_id),
        (&request.span_id, &review.span_id)
    );
    let attributes: Vec<&str> = request
        .attributes
        .iter()
        .map(|attribute| &*attribute.key)
        .collect();
    for name in [
        "http.request.method", "http.route", "http.response.status_code", "request_id",
    ] {
        assert!(attributes.contains(&name), "{name}: {attributes:?}");
    }
    assert!(
        !ended.stderr.contains("sesame") && !ended.stderr.contains("\"review\""),
        "{}",
        ended.stderr
    );
}

#[test]
fn a_missing_collector_is_logged_once() {
    let place = Place::new().variable("HUNKWISE_TELEMETRY__OTLP_ENDPOINT", "http://127.0.0.1:1");
    let mut fixture = Fixture::at(place, &[]);
    for _ in 0..3 {
        assert_eq!(
            fixture
                .serving
                .send("POST", &fixture.path, &fixture.token, &body())
                .0,
            200
        );
    }
    fixture
        .serving
        .process
        .stderr_until("the collector cannot be reached");
    assert_eq!(fixture.serving.send("GET", "/readyz", "", "").0, 200);
    fixture.serving.process.signal(Signal::TERM);
    let ended = fixture.serving.process.end();
    assert_eq!(
        (
            ended.status,
            ended.stderr.matches("collector cannot be reached").count()
        ),
        (0, 1),
        "{ended:?}"
    );
    assert!(
        !ended.stderr.to_lowercase().contains("opentelemetry"),
        "{ended:?}"
    );
}

#[test]
fn invalid_headers_are_rejected_and_not_shown() {
    let place = Place::new()
        .variable("HUNKWISE_TELEMETRY__OTLP_ENDPOINT", "http://127.0.0.1:1")
        .variable("HUNKWISE_TELEMETRY__OTLP_HEADERS", "canary");
    let message = place.refused(2, &["serve", "--bind", "127.0.0.1:0"]);
    assert!(
        message.contains("telemetry.otlp_headers: expected `name: value` on each line"),
        "{message}"
    );
    assert!(!message.contains("canary"));
}
