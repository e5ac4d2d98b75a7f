//! Malicious HTTP/2 clients.

use axum::body::Bytes;
use axum::http::Request;
use server::Transport;
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;

use super::{HEALTH, PREFACE, SETTINGS, SHORT, Server, TIMEOUT, read_bytes};

const HEADERS: u8 = 1;
const RST_STREAM: u8 = 3;
const GO_AWAY: u8 = 7;
const CONTINUATION: u8 = 9;
const ENHANCE_YOUR_CALM: u8 = 11;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;
/// `GET http:///` in HPACK.
const ROOT: &[u8] = &[0x82, 0x86, 0x84];

fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).unwrap().to_be_bytes();
    [&length[1..], &[kind, flags], &stream.to_be_bytes(), payload].concat()
}

/// The reason that the server states for closing the connection.
fn reason(mut bytes: &[u8]) -> Option<u8> {
    while let [a, b, c, kind, ..] = *bytes {
        let length = u32::from_be_bytes([0, a, b, c]) as usize;
        let payload = bytes.get(9..9 + length)?;
        if kind == GO_AWAY && payload[7] != 0 {
            return Some(payload[7]);
        }
        bytes = &bytes[9 + length..];
    }
    None
}

#[tokio::test]
async fn a_client_that_reads_no_response_is_closed_even_if_it_answers_pings() {
    let transport = Transport {
        write: SHORT,
        header: SHORT,
        idle: TIMEOUT,
        ..Transport::default()
    };
    let server = Server::start(transport).await;
    let handshake = h2::client::Builder::new()
        .initial_window_size(0)
        .handshake::<_, Bytes>(server.connect().await);
    let (mut client, connection) = handshake.await.unwrap();
    let connection = tokio::spawn(connection);
    let mut responses = Vec::new();
    for _ in 0..32 {
        client = client.ready().await.unwrap();
        let request = Request::get("http://x/openapi.json").body(()).unwrap();
        responses.push(client.send_request(request, true).unwrap().0);
    }
    drop(
        timeout(TIMEOUT, connection)
            .await
            .expect("the server closes the connection"),
    );
    drop((client, responses));
    server.stop().await;
}

#[tokio::test]
async fn floods_of_resets_and_continuations_are_closed() {
    let server = Server::start(Transport::default()).await;
    let resets = (0..5_000).flat_map(|at| {
        let stream = 2 * at + 1;
        [
            frame(HEADERS, END_STREAM | END_HEADERS, stream, ROOT),
            frame(RST_STREAM, 0, stream, &[0, 0, 0, 8]),
        ]
        .concat()
    });
    let mut continued = frame(HEADERS, END_STREAM, 1, ROOT);
    continued.extend(frame(CONTINUATION, 0, 1, &[]).repeat(50_000));
    for (name, flood) in [("resets", resets.collect()), ("continuations", continued)] {
        let (mut reading, mut writing) = server.connect().await.into_split();
        let start = [PREFACE, SETTINGS, flood.as_slice()].concat();
        let writing = tokio::spawn(async move { drop(writing.write_all(&start).await) });
        let response = read_bytes(&mut reading).await;
        assert_eq!(reason(&response), Some(ENHANCE_YOUR_CALM), "{name}");
        writing.await.unwrap();
    }
    assert!(server.ask(HEALTH).await.starts_with("HTTP/1.1 200"));
    server.stop().await;
}
