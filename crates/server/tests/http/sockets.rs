//! Real sockets: slow clients, many clients, clients that disconnect, both protocols, shutdown.

mod bodies;
mod connections;
mod http2;
mod sign_in_link;
mod tls;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::Request;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use server::{Limits, Settings, Transport};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use crate::support::{Act, DIFF, Database, Logs, Service, User};

/// Timeout: long enough for a slow machine.
const TIMEOUT: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(300);
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
/// An empty SETTINGS frame.
const SETTINGS: &[u8] = &[0, 0, 0, 4, 0, 0, 0, 0, 0];

fn short() -> Transport {
    Transport {
        header: SHORT,
        body: SHORT,
        idle: SHORT,
        write: SHORT,
        ..Transport::default()
    }
}

/// A listening service.
struct Server {
    service: Service,
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    done: JoinHandle<std::io::Result<()>>,
}

impl Server {
    async fn start(transport: Transport) -> Self {
        Self::on(Service::start().await, transport).await
    }

    async fn on(service: Service, transport: Transport) -> Self {
        allow_many_files();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let router = service.router.clone();
        let done = tokio::spawn(async move {
            let shutdown = async { drop(stopped.await) };
            server::serve(listener, router, &transport, shutdown).await
        });
        Self {
            service,
            address,
            stop,
            done,
        }
    }

    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// Sends one request on a new connection, and returns the whole response.
    async fn ask(&self, request: &str) -> String {
        let mut socket = self.connect().await;
        socket.write_all(request.as_bytes()).await.unwrap();
        read_to_end(&mut socket).await
    }

    /// Stops the server and waits for its end.
    async fn stop(self) {
        drop(self.stop);
        timeout(TIMEOUT, self.done)
            .await
            .expect("the server ends")
            .unwrap()
            .unwrap();
    }
}

/// Both ends of every connection are in this process, and some systems allow only 1,024 open files by default.
fn allow_many_files() {
    let limit = getrlimit(Resource::Nofile);
    setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            ..limit
        },
    )
    .unwrap();
}

const HEALTH: &str = "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/// A review request as sent over the wire.
fn review_request(user: &User, path: &str, more: &str) -> String {
    let body = json!({ "diff": DIFF }).to_string();
    format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n{more}Content-Length: {}\r\n\r\n{body}",
        user.token,
        body.len()
    )
}

/// Reads until the server closes.
async fn read_to_end(socket: &mut (impl AsyncRead + Unpin)) -> String {
    String::from_utf8_lossy(&read_bytes(socket).await).into_owned()
}

async fn read_bytes(socket: &mut (impl AsyncRead + Unpin)) -> Vec<u8> {
    let mut bytes = Vec::new();
    // A reset ends the connection just like a close.
    let _ = timeout(TIMEOUT, socket.read_to_end(&mut bytes))
        .await
        .expect("the server closes the connection");
    bytes
}

/// On a new connection; see [`probe_on`].
async fn probe(address: SocketAddr, start: Vec<u8>, drip: Option<u8>) -> (String, Duration) {
    probe_on(TcpStream::connect(address).await.unwrap(), start, drip).await
}

/// Sends `start`, then one byte of `drip` whenever nothing arrives for a while, until the server closes.
async fn probe_on(
    mut socket: impl AsyncRead + AsyncWrite + Unpin,
    start: Vec<u8>,
    drip: Option<u8>,
) -> (String, Duration) {
    let began = Instant::now();
    // The server may close before it has read everything.
    let _ = socket.write_all(&start).await;
    let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
    while began.elapsed() < TIMEOUT {
        match timeout(SHORT / 6, socket.read(&mut buffer)).await {
            Ok(Ok(0) | Err(_)) => {
                return (
                    String::from_utf8_lossy(&bytes).into_owned(),
                    began.elapsed(),
                );
            }
            Ok(Ok(count)) => bytes.extend_from_slice(&buffer[..count]),
            Err(_) => {
                if let Some(byte) = drip
                    && socket.write_all(&[byte]).await.is_err()
                {
                    return (
                        String::from_utf8_lossy(&bytes).into_owned(),
                        began.elapsed(),
                    );
                }
            }
        }
    }
    panic!("still open after {TIMEOUT:?}");
}

#[tokio::test]
async fn slow_clients_are_closed_in_time() {
    let server = Server::start(short()).await;
    let user = server.service.user().await;
    let big = format!(
        "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Big: {}\r\n\r\n",
        "a".repeat(1_000_000)
    );
    let body = format!(
        "POST /v1/organizations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\nContent-Length: 10000\r\n\r\n",
        user.token
    );
    let probes: [(&str, Vec<u8>, Option<u8>, &str); 8] = [
        ("silent", Vec::new(), None, ""),
        ("one byte", b"P".to_vec(), None, ""),
        ("half a preface", b"PRI * HTTP/2.0\r\n".to_vec(), None, ""),
        (
            "dripping header",
            b"GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ".to_vec(),
            Some(b'a'),
            "",
        ),
        (
            "idle after a request",
            b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(),
            None,
            "HTTP/1.1 200",
        ),
        (
            "dripping body",
            body.into_bytes(),
            Some(b' '),
            "HTTP/1.1 408",
        ),
        ("idle HTTP/2", [PREFACE, SETTINGS].concat(), None, ""),
        ("1 MB header", big.into_bytes(), None, "HTTP/1.1 431"),
    ];
    let running = probes.map(|(name, start, drip, answer)| {
        (
            name,
            answer,
            tokio::spawn(probe(server.address, start, drip)),
        )
    });
    for (name, answer, probe) in running {
        let (got, took) = probe.await.unwrap();
        assert!(
            got.starts_with(answer) || answer.is_empty(),
            "{name}: {got}"
        );
        // Twice the deadline for connections that are shut down first, with a margin for a busy machine.
        assert!(took < SHORT * 20, "{name}: {took:?}");
        if answer.ends_with("408") {
            assert!(
                got.contains("REQUEST_TIMEOUT") && got.contains("x-request-id"),
                "{got}"
            );
        }
    }
    server.stop().await;
}

#[tokio::test]
async fn slow_http2_headers_and_idle_connections_that_answer_pings_are_closed() {
    let server = Server::start(short()).await;
    // HEADERS without END_HEADERS, then nothing: the rest of the block never arrives.
    let headers = [0, 0, 1, 1, 0, 0, 0, 0, 1, 0x82];
    let (_, took) = probe(server.address, [PREFACE, SETTINGS, &headers].concat(), None).await;
    assert!(took < SHORT * 20, "{took:?}");
    // This client answers every PING and sends no request.
    let (client, connection) = h2::client::handshake(server.connect().await).await.unwrap();
    let connection = tokio::spawn(connection);
    drop(
        timeout(TIMEOUT, connection)
            .await
            .expect("the server closes the connection"),
    );
    drop(client);
    server.stop().await;
}

#[tokio::test]
async fn a_header_of_a_megabyte_is_refused_over_http2_too() {
    let server = Server::start(Transport::default()).await;
    let (mut client, connection) = h2::client::handshake(server.connect().await).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::get("http://x/healthz")
        .header("x-big", "a".repeat(1_000_000))
        .body(())
        .unwrap();
    let (response, _) = client.send_request(request, true).unwrap();
    // A response, or an end of the connection with the reason.
    match timeout(TIMEOUT, response)
        .await
        .expect("it is refused in time")
    {
        Ok(response) => assert_eq!(response.status().as_u16(), 431),
        Err(error) => assert!(
            error.is_remote() || error.is_io() || error.is_go_away(),
            "{error:?}"
        ),
    }
    drop((client, connection));
    assert!(server.ask(HEALTH).await.starts_with("HTTP/1.1 200"));
    server.stop().await;
}

#[tokio::test]
async fn idle_connections_do_not_keep_a_request_waiting() {
    let server = Server::start(Transport::default()).await;
    let mut idle = Vec::new();
    for _ in 0..1_000 {
        idle.push(server.connect().await);
    }
    let answer = server.ask(HEALTH).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(idle);
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_does_not_read_is_closed() {
    let server = Server::start(Transport {
        connections: 1,
        write: SHORT,
        ..Transport::default()
    })
    .await;
    let mut deaf = server.connect().await;
    // More responses than the buffers in between can hold.
    deaf.write_all(
        "GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
            .repeat(1_000)
            .as_bytes(),
    )
    .await
    .unwrap();
    // There is one place: this request is served once the other connection is gone.
    let answer = server.ask(HEALTH).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    drop(deaf);
    server.stop().await;
}

#[tokio::test]
async fn http2_is_served_with_prior_knowledge() {
    let server = Server::start(Transport::default()).await;
    let (mut client, connection) = h2::client::handshake(server.connect().await).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::get("http://x/healthz").body(()).unwrap();
    let response = client.send_request(request, true).unwrap().0.await.unwrap();
    assert_eq!(response.status().as_u16(), 200);
    assert!(response.headers().contains_key("x-request-id"));
    let body = response.into_body().data().await.unwrap().unwrap();
    assert!(std::str::from_utf8(&body).unwrap().contains("\"ok\""));
    drop(client);
    connection.await.unwrap().unwrap();
    server.stop().await;
}

#[tokio::test]
async fn a_refused_client_can_read_the_refusal() {
    let server = Server::start(Transport::default()).await;
    let body = "x".repeat(7 << 20);
    for (head, expected) in [
        (
            "POST /v1/organizations HTTP/1.1\r\nHost: x\r\n",
            "HTTP/1.1 401",
        ),
        ("POST /nothing HTTP/1.1\r\nHost: x\r\n", "HTTP/1.1 404"),
        ("POST /healthz HTTP/1.1\r\nHost: x\r\n", "HTTP/1.1 405"),
    ] {
        let request = format!(
            "{head}Connection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = server.ask(&request).await;
        assert!(
            answer.starts_with(expected),
            "{head}: {}",
            answer.get(..200).unwrap_or(&answer)
        );
        assert!(
            answer.contains("\"requestId\""),
            "the whole response arrived"
        );
    }
    server.stop().await;
}

#[tokio::test]
async fn a_client_that_breaks_the_connection_frees_its_slot() {
    // A slot that replicas share is released shortly after the end of its review.
    let queue_seconds = if Database::is_postgres() {
        Limits::default().queue_seconds
    } else {
        0
    };
    let limits = Limits {
        reviews_per_organization: 1,
        queue_seconds,
        ..Limits::default()
    };
    let server = Server::on(
        Service::limited(limits, Act::Hang).await,
        Transport::default(),
    )
    .await;
    let (user, path) = server.service.reviewer().await;
    for more in ["", "Accept: text/event-stream\r\n"] {
        let mut socket = server.connect().await;
        socket
            .write_all(review_request(&user, &path, more).as_bytes())
            .await
            .unwrap();
        server.service.engine.running(1).await;
        drop(socket);
        timeout(TIMEOUT, server.service.engine.running(0))
            .await
            .expect("the review is cancelled");
    }
    let (mut client, connection) = h2::client::handshake(server.connect().await).await.unwrap();
    let connection = tokio::spawn(connection);
    let request = Request::post(format!("http://x{path}"))
        .header("authorization", format!("Bearer {}", user.token));
    let request = request
        .header("content-type", "application/json")
        .body(())
        .unwrap();
    let (response, mut stream) = client.send_request(request, false).unwrap();
    stream
        .send_data(Bytes::from(json!({ "diff": DIFF }).to_string()), true)
        .unwrap();
    server.service.engine.running(1).await;
    stream.send_reset(h2::Reason::CANCEL);
    timeout(TIMEOUT, server.service.engine.running(0))
        .await
        .expect("the review is cancelled");
    drop((response, stream, client));
    connection.await.unwrap().unwrap();
    server.stop().await;
}

#[tokio::test]
async fn shutdown_lets_reviews_finish_and_accepts_no_new_connections() {
    let permits = Arc::new(Semaphore::new(0));
    let service = Service::limited(Limits::default(), Act::Wait(Arc::clone(&permits))).await;
    let Server {
        service,
        address,
        stop,
        done,
    } = Server::on(service, Transport::default()).await;
    let (user, path) = service.reviewer().await;
    let mut idle = TcpStream::connect(address).await.unwrap();
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket
        .write_all(review_request(&user, &path, "").as_bytes())
        .await
        .unwrap();
    service.engine.running(1).await;
    drop(stop);
    // The idle connection ends immediately, so the listener is closed by now.
    assert_eq!(read_to_end(&mut idle).await, "");
    assert!(TcpStream::connect(address).await.is_err());
    assert!(!done.is_finished());
    permits.add_permits(1);
    let answer = read_to_end(&mut socket).await;
    assert!(
        answer.starts_with("HTTP/1.1 200") && answer.contains("\"findings\":[{"),
        "{answer}"
    );
    timeout(TIMEOUT, done)
        .await
        .expect("the server ends")
        .unwrap()
        .unwrap();
}

#[tokio::test]
async fn a_clients_address_is_logged_if_enabled() {
    let trusting = |network: &str| server::TrustedProxies {
        networks: vec![network.parse().unwrap()],
        header: server::AddressHeader::XForwardedFor,
    };
    for (log_client_addresses, trusted_proxies, client) in [
        (true, trusting("127.0.0.0/8"), json!("203.0.113.9")),
        (true, trusting("10.0.0.0/8"), json!("127.0.0.1")),
        (false, trusting("127.0.0.0/8"), Value::Null),
    ] {
        let settings = Settings {
            log_client_addresses,
            trusted_proxies,
            ..Settings::default()
        };
        let server = Server::on(
            Service::with(settings, Act::Nothing).await,
            Transport::default(),
        )
        .await;
        let answer = server
            .ask(&HEALTH.replace("Host: x", "Host: x\r\nX-Forwarded-For: 203.0.113.9"))
            .await;
        let (_, id) = answer.split_once("x-request-id: ").unwrap();
        assert_eq!(Logs::line_of(&id[..36])["client"], client);
        server.stop().await;
    }
}

#[tokio::test]
async fn an_untrusted_proxy_causes_one_warning() {
    let server = Server::start(Transport::default()).await;
    let mut warnings = Vec::new();
    for header in [
        "", "\r\nX-Forwarded-For: 203.0.113.9", "\r\nX-Forwarded-For: 203.0.113.9",
    ] {
        let answer = server
            .ask(&HEALTH.replace("Host: x", &format!("Host: x{header}")))
            .await;
        let (_, id) = answer.split_once("x-request-id: ").unwrap();
        warnings.push(Logs::warnings_of(&id[..36]));
    }
    server.stop().await;
    assert_eq!(
        warnings.iter().map(Vec::len).collect::<Vec<_>>(),
        [0, 1, 0],
        "{warnings:?}"
    );
    assert!(
        warnings[1][0].contains("[proxy] trusted") && !warnings[1][0].contains("203.0.113.9"),
        "{warnings:?}"
    );
}

#[tokio::test]
async fn shutdown_ends_reviews_with_partial_results() {
    let service = Service::limited(Limits::default(), Act::Hang).await;
    let closing = service.state.closing().clone();
    let server = Server::on(
        service,
        Transport {
            shutdown_grace: SHORT,
            closing,
            ..Transport::default()
        },
    )
    .await;
    let (user, path) = server.service.reviewer().await;
    let mut socket = server.connect().await;
    socket
        .write_all(review_request(&user, &path, "").as_bytes())
        .await
        .unwrap();
    server.service.engine.running(1).await;
    let engine = Arc::clone(&server.service.engine);
    server.stop().await;
    engine.running(0).await;
    let answer = read_to_end(&mut socket).await;
    // No part of it was finished.
    assert!(
        answer.starts_with("HTTP/1.1 504") && answer.contains("ANALYSIS_TIMEOUT"),
        "{answer}"
    );
}

#[tokio::test]
async fn requests_without_a_valid_token_are_limited_by_address_without_affecting_others() {
    let service = Service::limited(
        Limits {
            requests_per_minute: 3,
            ..Limits::default()
        },
        Act::Nothing,
    )
    .await;
    let user = service.user().await;
    let server = Server::on(service, Transport::default()).await;
    let ask = async |header: &str| {
        let request =
            format!("GET /v1/limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{header}\r\n");
        server.ask(&request).await.to_ascii_lowercase()
    };
    let unknown = format!("Authorization: Bearer {}x\r\n", user.token);
    for header in ["", unknown.as_str(), "Authorization: Bearer x\r\n"] {
        assert!(ask(header).await.starts_with("http/1.1 401 "), "{header}");
    }
    for header in ["", unknown.as_str()] {
        let refused = ask(header).await;
        assert!(
            refused.starts_with("http/1.1 429 ") && refused.contains("\r\nretry-after: 20\r\n"),
            "{refused}"
        );
    }
    let valid = ask(&format!("Authorization: Bearer {}\r\n", user.token)).await;
    assert!(valid.starts_with("http/1.1 200 "), "{valid}");
    server.service.advance(Duration::from_secs(20));
    assert!(ask("").await.starts_with("http/1.1 401 "));
    server.stop().await;
}
