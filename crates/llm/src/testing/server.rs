//! A minimal HTTP server, written by hand so that it can fail at every byte.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufStream};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use super::answer::{self, Answer, Delivery};
use super::script::{Request, ServerState, Turn};
use crate::settings::Protocol;

/// Maximum bytes of a request.
const REQUEST_BYTES: usize = 64 * 1024 * 1024;
const TRICKLE: Duration = Duration::from_millis(20);
/// Bytes after which an endless answer ends.
const ENDLESS_BYTES: usize = 50 * 1000 * 1000;

type Connection = BufStream<TcpStream>;

pub(super) async fn serve(listener: TcpListener, state: Arc<ServerState>) {
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        state.connections.fetch_add(1, Ordering::Relaxed);
        let state = Arc::clone(&state);
        connections.spawn(async move { converse(BufStream::new(stream), &state).await });
        while connections.try_join_next().is_some() {}
    }
}

/// Answers one request after the other. A caller that disconnects is recorded, not reported.
async fn converse(mut connection: Connection, state: &ServerState) {
    while let Ok(Some((request, received))) = receive(&mut connection, state.protocol).await {
        let known = paths(state.protocol)
            .iter()
            .any(|path| request.path.starts_with(path));
        let streamed = request.is_streamed();
        let (at, turn) = state.turn(request);
        let turn = if known {
            turn
        } else {
            Turn::Status(404, "no such path".to_owned())
        };
        let note = || state.note(at, received.elapsed());
        match play(&mut connection, state, turn, streamed, note).await {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return,
            Err(_) => return state.hung_up.notify_one(),
        }
    }
}

/// The path prefixes of the protocol.
fn paths(protocol: Protocol) -> &'static [&'static str] {
    match protocol {
        Protocol::OpenAi => &["/v1/chat/completions"],
        Protocol::OpenAiResponses => &["/v1/responses"],
        Protocol::Anthropic => &["/v1/messages"],
        Protocol::Gemini => &[
            "/v1beta/models/scripted:generateContent",
            "/v1beta/models/scripted:streamGenerateContent?alt=sse",
        ],
    }
}

/// A request, and the time when it was complete.
async fn receive(
    connection: &mut Connection,
    protocol: Protocol,
) -> io::Result<Option<(Request, Instant)>> {
    let mut line = String::new();
    if connection.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let headers = headers(connection).await?;
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0)
        .min(REQUEST_BYTES);
    let mut body = vec![0; length];
    connection.read_exact(&mut body).await?;
    let received = Instant::now();
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let (system, mut messages) = texts(protocol, &body);
    let user = if messages.is_empty() {
        String::new()
    } else {
        messages.remove(0)
    };
    Ok(Some((
        Request {
            path,
            headers,
            system,
            user,
            later: messages,
            body,
        },
        received,
    )))
}

async fn headers(connection: &mut Connection) -> io::Result<Vec<(String, String)>> {
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await?;
        let Some((name, value)) = line.split_once(':') else {
            return Ok(headers);
        };
        headers.push((name.to_lowercase(), value.trim().to_owned()));
    }
}

/// The instructions and the messages of a request.
fn texts(protocol: Protocol, body: &Value) -> (String, Vec<String>) {
    let at = |pointer| body.pointer(pointer).map(text).unwrap_or_default();
    let list = |pointer| {
        let messages = body.pointer(pointer).and_then(Value::as_array);
        messages.into_iter().flatten().map(text).collect::<Vec<_>>()
    };
    match protocol {
        Protocol::OpenAi => {
            let mut messages = list("/messages");
            let system = if messages.is_empty() {
                String::new()
            } else {
                messages.remove(0)
            };
            (system, messages)
        }
        Protocol::OpenAiResponses => (at("/instructions"), list("/input")),
        Protocol::Anthropic => (at("/system"), list("/messages")),
        Protocol::Gemini => (at("/systemInstruction"), list("/contents")),
    }
}

/// The text of a message: a string, or in parts.
fn text(message: &Value) -> String {
    match message {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().map(text).collect(),
        Value::Object(message) => ["content", "parts", "text"]
            .iter()
            .find_map(|name| message.get(*name))
            .map(text)
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// Follows the script. `Break` means that the script closed the connection, an error that the caller did. `note` is
/// called just before the answer begins.
async fn play(
    connection: &mut Connection,
    state: &ServerState,
    mut turn: Turn,
    streamed: bool,
    note: impl Fn(),
) -> io::Result<ControlFlow<()>> {
    while let Turn::After(wait, then) = turn {
        unless_gone(connection, tokio::time::sleep(wait)).await?;
        turn = *then;
    }
    let answer = match turn {
        Turn::Say(text) => answer::reply(state.protocol, &text, streamed),
        Turn::Plain(text) => answer::reply(state.protocol, &text, false),
        Turn::Streamed(text) => answer::reply(state.protocol, &text, true),
        Turn::Fail(fault, text) => answer::failed(state.protocol, fault, &text, streamed),
        Turn::Status(status, body) => Answer::new(status, body),
        Turn::After(..) => return Ok(ControlFlow::Continue(())),
    };
    note();
    deliver(connection, state, &answer).await
}

async fn deliver(
    connection: &mut Connection,
    state: &ServerState,
    answer: &Answer,
) -> io::Result<ControlFlow<()>> {
    let body = answer.body.as_bytes();
    let whole = head(answer, Some(body.len())).into_bytes();
    let half = answer::half(&answer.body).as_bytes();
    match answer.delivery {
        Delivery::Whole => write(connection, state, &[&whole, body].concat()).await?,
        Delivery::Silence => silence(connection, state).await?,
        Delivery::Cut => return Ok(ControlFlow::Break(())),
        Delivery::HalfThenSilence => {
            write(connection, state, &[&whole, half].concat()).await?;
            silence(connection, state).await?;
        }
        Delivery::HalfThenCut => {
            write(connection, state, &[&whole, half].concat()).await?;
            return Ok(ControlFlow::Break(()));
        }
        Delivery::Trickle => {
            write(connection, state, &whole).await?;
            trickle(connection, state, body).await?;
        }
        Delivery::Endless => {
            write(connection, state, head(answer, None).as_bytes()).await?;
            flood(connection, state, body).await?;
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

async fn trickle(connection: &mut Connection, state: &ServerState, body: &[u8]) -> io::Result<()> {
    state.stalled.notify_one();
    for byte in body {
        unless_gone(connection, tokio::time::sleep(TRICKLE)).await?;
        write(connection, state, &[*byte]).await?;
    }
    Ok(())
}

async fn flood(connection: &mut Connection, state: &ServerState, body: &[u8]) -> io::Result<()> {
    let part = [body, &[b' '; 16 * 1024]].concat();
    for _ in 0..ENDLESS_BYTES.div_ceil(part.len()) {
        write(connection, state, &part).await?;
    }
    Ok(())
}

/// The status line and the headers. Without a length, the body extends to the end of the connection.
fn head(answer: &Answer, length: Option<usize>) -> String {
    let length = length.map_or("connection: close".to_owned(), |length| {
        format!("content-length: {length}")
    });
    let headers: String = answer
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}\r\n"))
        .collect();
    // Some real providers send another content type for JSON, which clients must tolerate.
    format!(
        "HTTP/1.1 {} -\r\ncontent-type: text/plain\r\n{length}\r\n{headers}\r\n",
        answer.status
    )
}

async fn write(connection: &mut Connection, state: &ServerState, bytes: &[u8]) -> io::Result<()> {
    connection.write_all(bytes).await?;
    connection.flush().await?;
    state
        .written
        .fetch_add(bytes.len() as u64, Ordering::Relaxed);
    Ok(())
}

async fn silence(connection: &mut Connection, state: &ServerState) -> io::Result<()> {
    state.stalled.notify_one();
    unless_gone(connection, std::future::pending()).await
}

/// Waits, unless the caller closes the connection first.
async fn unless_gone(
    connection: &mut Connection,
    wait: impl Future<Output = ()>,
) -> io::Result<()> {
    tokio::select! {
        () = wait => Ok(()),
        read = connection.read_u8() => Err(read.err().unwrap_or_else(|| io::ErrorKind::InvalidData.into())),
    }
}
