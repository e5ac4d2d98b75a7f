//! How the server ends.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::session::{BAD, Session};

#[test]
fn an_exit_without_a_shutdown_is_status_1() {
    let mut session = Session::begun(json!({}));
    session.notify("exit", json!(null));
    assert_eq!(session.rest().1, 1);
}

#[test]
fn closing_stdin_ends_the_server_and_its_workers() {
    let mut session = Session::begun(json!({}));
    session.open("new.py", "python", BAD);
    assert_eq!(session.close().1, 1);
    let mut polite = Session::begun(json!({}));
    polite.request("shutdown", json!(null));
    assert_eq!(polite.close(), (Vec::new(), 0, String::new()));
    let mut silent = Session::start();
    assert_eq!(silent.close(), (Vec::new(), 1, String::new()));
}

#[test]
fn an_invalid_header_ends_the_server_with_a_reason() {
    let mut session = Session::begun(json!({}));
    session.send_bytes(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let (rest, status, message) = session.rest();
    assert_eq!((rest, status), (Vec::<Value>::new(), 3));
    assert!(
        message.contains("expected `Content-Length: <bytes>`"),
        "{message}"
    );
}

#[test]
fn the_server_ends_with_the_process_of_the_client() {
    let mut client = Command::new("cat")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut session = Session::start();
    let answer = session.request(
        "initialize",
        json!({ "processId": client.id(), "capabilities": {} }),
    );
    assert!(answer["error"].is_null(), "{answer}");
    client.kill().unwrap();
    client.wait().unwrap();
    // Its stdin is still open.
    assert_eq!(session.rest().1, 1);
}
