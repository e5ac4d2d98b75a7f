//! Invalid messages, and messages in the wrong order.

use serde_json::{Value, json};

use crate::session::{BAD, RULE, Session, rules};

fn framed(content: &[u8]) -> Vec<u8> {
    [
        format!("Content-Length: {}\r\n\r\n", content.len()).as_bytes(),
        content,
    ]
    .concat()
}

#[test]
fn invalid_messages_are_answered_and_the_session_continues() {
    let mut session = Session::begun(json!({}));
    for (content, code) in [
        (b"no JSON".as_slice(), -32700),
        (b"\xff\xfe", -32700),
        (b"", -32700),
        (b"[]", -32600),
        (b"{}", -32600),
        (
            br#"{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}"#,
            -32600,
        ),
    ] {
        session.send_bytes(&framed(content));
        assert_eq!(
            session.wait(|message| message["error"].is_object())["error"]["code"],
            code,
            "{content:?}"
        );
    }
    for method in [
        "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
    ] {
        session.notify(method, json!({ "textDocument": 7 }));
        assert!(
            session
                .wait_for_text("window/logMessage")
                .starts_with(method)
        );
    }
    session.notify("workspace/didChangeWorkspaceFolders", json!({}));
    session.notify("textDocument/didSave", Value::Null);
    session.notify("$/cancelRequest", json!({ "id": {} }));
    session.notify("a/notification/of/another/kind", json!([]));
    session.send(&json!({ "jsonrpc": "2.0", "id": 99, "result": null }));
    assert_eq!(
        session.request("textDocument/codeAction", json!({}))["error"]["code"],
        -32602
    );
    assert_eq!(
        session.request("no/such/method", json!({}))["error"]["code"],
        -32601
    );
    session.change("never-opened.py", 2, json!([{ "text": "" }]));
    session.open("new.py", "python", BAD);
    assert_eq!(rules(&session.published("new.py", 1)), [RULE]);
}

#[test]
fn requests_before_initialize_and_after_shutdown_are_refused() {
    let mut session = Session::start();
    session.open("new.py", "python", BAD);
    assert_eq!(
        session.request("textDocument/codeAction", json!({}))["error"]["code"],
        -32002
    );
    let refused = session.request(
        "initialize",
        json!({ "initializationOptions": { "bass": "main" } }),
    );
    assert_eq!(refused["error"]["code"], -32602);
    assert!(
        refused["error"]["message"]
            .as_str()
            .unwrap()
            .contains("unknown field `bass`"),
        "{refused}"
    );
    let initialized = session.initialize(json!({}), json!(null));
    assert_eq!(
        initialized["result"]["capabilities"]["textDocumentSync"]["change"],
        2
    );
    assert_eq!(
        session.request("initialize", json!({}))["error"]["code"],
        -32600
    );
    assert_eq!(
        session.request("shutdown", json!(null))["result"],
        json!(null)
    );
    assert_eq!(
        session.request("shutdown", json!(null))["error"]["code"],
        -32600
    );
    session.notify("exit", json!(null));
    let (rest, status, output) = session.rest();
    assert_eq!((rest, status, output.as_str()), (vec![], 0, ""));
    assert!(session.seen.is_empty(), "{:?}", session.seen);
}
