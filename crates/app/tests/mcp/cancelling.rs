//! Cancelled reviews. The model is a server that accepts the request and never responds.

use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use serde_json::json;

use crate::session::{BAD, Session, added};

fn config(folder: &Path, listener: &TcpListener) -> String {
    let file = folder.join("llm.toml");
    let text = format!(
        "[llm]\n[[llm.models]]\nprotocol = 'openai'\nmodel = 'm'\nbase_url = 'http://{}'\napi_key = 'k'\n\
         context_window = 32000\nmax_output_tokens = 2000\n",
        listener.local_addr().unwrap()
    );
    std::fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Waits until the other side closes the connection.
fn read_to_the_end(mut asked: TcpStream) {
    let _reset_is_an_end_too = asked.read_to_end(&mut Vec::new());
}

#[test]
fn a_cancelled_review_ends_without_a_response() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut session = Session::start(
        folder.path(),
        &["--config", &config(folder.path(), &listener)],
    );
    session.initialize(None);
    let review = json!({ "name": "review_diff", "arguments": { "diff": added("a.py", BAD) } });
    let id = session.begin("tools/call", review);
    let (asked, _) = listener.accept().unwrap();
    session.send(&json!({
        "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id, "reason": "test" }
    }));
    // The connection would stay open for minutes if the review continued.
    read_to_the_end(asked);
    assert_eq!(session.request("ping", json!({}))["result"], json!({}));
    let (rest, status) = session.close();
    let answers = session
        .notifications
        .iter()
        .chain(&rest)
        .filter(|message| message["id"] == id)
        .count();
    assert_eq!((answers, status), (0, 0));
}

#[test]
fn a_disconnected_client_ends_its_review() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut session = Session::start(
        folder.path(),
        &["--config", &config(folder.path(), &listener)],
    );
    session.initialize(None);
    session.begin(
        "tools/call",
        json!({ "name": "review_diff", "arguments": { "diff": added("a.py", BAD) } }),
    );
    let (asked, _) = listener.accept().unwrap();
    let (rest, status) = session.close();
    read_to_the_end(asked);
    assert_eq!((rest, status), (Vec::new(), 0));
}
