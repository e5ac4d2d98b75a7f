//! Invalid input from clients.

use serde_json::{Value, json};

use crate::session::{BAD, Session, added};

/// The error for a line without an ID.
fn refusal(session: &mut Session, line: &[u8]) -> (i64, String) {
    session.send_line(line);
    let answer = session.next().unwrap();
    let error = &answer["error"];
    (
        error["code"].as_i64().unwrap(),
        error["message"].as_str().unwrap().to_owned(),
    )
}

#[test]
fn invalid_messages_are_answered_and_the_session_continues() {
    let mut session = Session::begun();
    assert_eq!(refusal(&mut session, b"no JSON").0, -32700);
    assert_eq!(refusal(&mut session, b"\xff\xfe").0, -32700);
    for line in [
        "[]",
        "7",
        "null",
        "{}",
        r#"{"id": 1}"#,
        r#"[{"jsonrpc": "2.0", "id": 1, "method": "ping"}]"#,
    ] {
        assert_eq!(refusal(&mut session, line.as_bytes()).0, -32600, "{line}");
    }
    session.send_line(b"");
    session.send_line(
        br#"{"jsonrpc": "2.0", "method": "notifications/of/another/kind", "params": 7}"#,
    );
    assert_eq!(session.request("ping", json!({}))["result"], json!({}));
    assert_eq!(
        session.request("no/such/method", json!({}))["error"]["code"],
        -32601
    );
    assert_eq!(session.close(), (Vec::new(), 0));
}

#[test]
fn a_too_long_line_is_refused_and_not_buffered() {
    let mut session = Session::begun();
    let (code, message) = refusal(&mut session, &vec![b'x'; 16 * 1024 * 1024 + 1]);
    assert_eq!(code, -32600);
    assert!(message.contains("longer than 16777216 bytes"), "{message}");
    assert_eq!(session.request("ping", json!({}))["result"], json!({}));
}

#[test]
fn requests_before_initialize_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    session.send(&json!({ "jsonrpc": "2.0", "id": 77, "result": {} }));
    for method in ["tools/list", "tools/call"] {
        let answer = session.request(method, json!({ "name": "list_rules" }));
        assert_eq!(answer["error"]["code"], -32600, "{answer}");
        assert!(
            answer["error"]["message"]
                .as_str()
                .unwrap()
                .contains("send initialize first"),
            "{answer}"
        );
    }
    assert_eq!(session.request("ping", json!({}))["result"], json!({}));
    assert!(session.initialize(None)["error"].is_null());
    assert!(session.request("tools/list", json!({}))["error"].is_null());
    let mut silent = Session::start(folder.path(), &[]);
    assert_eq!(
        silent.close(),
        (Vec::new(), 0),
        "a client that sends nothing gets nothing"
    );
}

#[test]
fn arguments_are_checked_and_errors_say_what_to_do() {
    let mut session = Session::begun();
    for (tool, arguments, why) in [
        ("review_diff", json!({}), "missing field `diff`"),
        ("review_diff", json!({ "diff": 7 }), "invalid type"),
        (
            "review_diff",
            json!({ "diff": "  " }),
            "pass a unified diff",
        ),
        ("review_diff", json!({ "diff": "no diff at all" }), "diff: "),
        (
            "review_diff",
            json!({ "diff": added("a.py", BAD), "langauge": "py" }),
            "unknown field `langauge`",
        ),
        (
            "review_diff",
            json!({ "diff": added("a.py", BAD), "language": "pyton" }),
            "Python",
        ),
        (
            "review_diff",
            json!({ "diff": added("a.py", BAD), "minConfidence": 2 }),
            "from 0 to 1",
        ),
        (
            "explain_rule",
            json!({ "ruleId": "python/mutable-default-argumen" }),
            "the nearest: ",
        ),
        (
            "list_rules",
            json!({ "category": "NICE" }),
            "unknown variant",
        ),
    ] {
        let text = session.refused(tool, arguments);
        assert!(text.contains(why), "{tool}: {text}");
    }
    let unknown = session.request(
        "tools/call",
        json!({ "name": "no_such_tool", "arguments": {} }),
    );
    assert_eq!(unknown["error"]["code"], -32602, "{unknown}");
    let invalid = session.request(
        "tools/call",
        json!({ "name": "review_diff", "arguments": "a diff" }),
    );
    assert_eq!(invalid["error"]["code"], -32602, "{invalid}");
    assert_eq!(session.notifications, [Value::Null; 0]);
}

#[test]
fn a_diff_beyond_the_limits_is_refused_or_truncated_as_on_the_command_line() {
    let mut session = Session::begun();
    let many: String = (0..1_001)
        .map(|n| added(&format!("f{n}.txt"), "x\n"))
        .collect();
    let result = session.call("review_diff", json!({ "diff": many }));
    let warnings = result["structuredContent"]["metadata"]["warnings"]
        .as_array()
        .unwrap();
    assert!(
        warnings
            .iter()
            .any(|warning| warning["code"] == "FILE_SKIPPED_TOO_LARGE"),
        "{result}"
    );
    let long = format!("{}{}", added("a.txt", "x\n"), " \n".repeat(800_001));
    assert!(
        session
            .refused("review_diff", json!({ "diff": long }))
            .contains("review it in parts")
    );
}
