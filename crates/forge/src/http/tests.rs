//! Tests the client against a server with prepared responses.

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use super::*;

/// The requests, the waits and the result.
struct Seen {
    requests: Vec<String>,
    waits: Vec<u64>,
    result: Result<Vec<Value>, Failure>,
}

/// A client with this token.
fn client(base: &str, token: &str, scheme: &Scheme, pause: Pause) -> Result<Api, SetupError> {
    // An error means that a provider is already installed: this one.
    let _ = rustls::crypto::ring::default_provider().install_default();
    Api::new(base, token, scheme, pause)
}

/// Reads a list from a server with these responses, each on a separate connection. `BASE` in them is the server's
/// address.
async fn list(answers: &[&str]) -> Seen {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let waits = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&waits);
    let pause: Pause = Box::new(move |wait| {
        noted.lock().unwrap().push(wait.as_secs());
        std::future::ready(()).boxed()
    });
    let api = client(
        &format!("{base}/api/v3/"),
        "the-token",
        &Scheme::Bearer,
        pause,
    )
    .unwrap();
    let requests = Mutex::new(Vec::new());
    let serving = async {
        for answer in answers {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut sent = Vec::new();
            while !sent.ends_with(b"\r\n\r\n") {
                assert_ne!(stream.read_buf(&mut sent).await.unwrap(), 0);
            }
            requests
                .lock()
                .unwrap()
                .push(String::from_utf8(sent).unwrap());
            let answer = answer.replace("BASE", &base);
            let (head, body) = answer.split_once("\n\n").unwrap();
            let text = format!(
                "HTTP/1.1 {}\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
                head.replace('\n', "\r\n"),
                body.len()
            );
            stream.write_all(text.as_bytes()).await.unwrap();
        }
        std::future::pending::<()>().await;
    };
    let result = tokio::select! {
        result = api.list(api.url(&["repos", "a b"])) => result,
        () = serving => panic!("the host ended"),
    };
    let waits = waits.lock().unwrap().clone();
    Seen {
        requests: requests.into_inner().unwrap(),
        waits,
        result,
    }
}

fn message(seen: Seen) -> String {
    match seen.result.unwrap_err() {
        Failure::Forbidden(text) => format!("forbidden: {text}"),
        Failure::Refused(text) => format!("refused: {text}"),
        Failure::Other(text) => text,
    }
}

#[tokio::test]
async fn a_list_is_read_page_by_page_with_the_token() {
    let seen = list(&[
        "200 OK\nlink: <BASE/api/v3/x?page=2>; rel=\"next\", <BASE/y>; rel=\"last\"\n\n[1]",
        "200 OK\n\n[2]",
    ])
    .await;
    assert_eq!(seen.result.unwrap(), [1, 2]);
    assert!(
        seen.requests[0].starts_with("GET /api/v3/repos/a%20b?per_page=100 HTTP/1.1\r\n"),
        "{}",
        seen.requests[0]
    );
    assert!(
        seen.requests[1].starts_with("GET /api/v3/x?page=2 HTTP/1.1\r\n"),
        "{}",
        seen.requests[1]
    );
    assert!(
        seen.requests
            .iter()
            .all(|request| request.contains("authorization: Bearer the-token\r\n"))
    );
}

#[tokio::test]
async fn requests_at_a_rate_limit_are_tried_at_most_three_times() {
    let limited = "429 Too Many Requests\nretry-after: 9\n\n{}";
    let spent = "403 Forbidden\nx-ratelimit-remaining: 0\n\n{}";
    let seen = list(&[limited, spent, "200 OK\n\n[1]"]).await;
    assert_eq!(
        (seen.result.unwrap(), seen.waits),
        (vec![Value::from(1)], vec![9, 60])
    );
    let seen = list(&[limited, limited, limited]).await;
    assert_eq!(seen.waits, [9, 9]);
    assert!(message(seen).ends_with("try again in 9 s"));
    let seen = list(&["429 Too Many Requests\nretry-after: 3600\n\n{}"]).await;
    assert_eq!(seen.waits, Vec::<u64>::new());
    assert!(message(seen).ends_with("try again in 3600 s"));
}

#[tokio::test]
async fn no_response_redirects_the_token_elsewhere() {
    let elsewhere = "200 OK\nlink: <https://evil.example/x>; rel=\"next\"\n\n[1]";
    assert!(message(list(&[elsewhere]).await).contains("on another host"));
    let moved =
        message(list(&["301 Moved Permanently\nlocation: https://evil.example/\n\n{}"]).await);
    assert!(moved.contains("redirects are not followed"), "{moved}");
}

#[tokio::test]
async fn an_error_explains_what_to_check_and_never_shows_the_token() {
    for (answer, expected) in [
        (
            "401 Unauthorized\n\n{\"message\":\"Bad credentials\"}",
            "401 Unauthorized: Bad credentials\n  check the token",
        ),
        (
            "404 Not Found\n\n{\"message\":\"Not\\u001b[31m Found\"}",
            "404 Not Found: Not[31m Found\n  check --api-url",
        ),
        (
            "403 Forbidden\n\n{}",
            "forbidden: 127.0.0.1/api/v3/repos/a%20b: answered 403",
        ),
        ("422 Unprocessable\n\n{\"message\":{\"x\":1}}", "{\"x\":1}"),
        ("500 Oh\n\n<html>", "answered 500"),
        ("200 OK\n\n{}", "unexpected response for this API"),
    ] {
        let message = message(list(&[answer]).await);
        assert!(
            message.contains(expected) && !message.contains("the-token"),
            "{message}"
        );
    }
}

#[test]
fn a_token_is_sent_only_over_https_or_to_this_machine() {
    let api = |base: &str, token: &str| {
        client(base, token, &Scheme::PrivateToken, real_pause()).map_err(|error| error.to_string())
    };
    for base in [
        "https://gitlab.example/api/v4", "http://127.0.0.1:8080", "http://localhost/x",
    ] {
        assert!(api(base, "t").is_ok(), "{base}");
    }
    for base in [
        "http://gitlab.example", "ftp://127.0.0.1", "gitlab.example", "https://u:p@x", "",
    ] {
        assert!(api(base, "t").is_err(), "{base}");
    }
    let error = api("https://x", "the-token\n").map(drop).unwrap_err();
    assert!(!error.contains("the-token"), "{error}");
}
