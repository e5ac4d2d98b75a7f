//! Diagnostics that the client pulls.

use serde_json::{Value, json};

use crate::session::{BAD, GOOD, RULE, Session, git};

/// A pause that never ends during a test, so that its review stays in progress.
const ENDLESS: u64 = 3_600_000;

fn session(pause: u64) -> Session {
    let mut session = Session::start();
    let capabilities = json!({
        "textDocument": { "diagnostic": {} }, "workspace": { "diagnostics": { "refreshSupport": true } },
    });
    let answer = session.initialize(capabilities, json!({ "pauseMilliseconds": pause }));
    assert!(
        answer["result"]["capabilities"]["diagnosticProvider"].is_object(),
        "{answer}"
    );
    session
}

fn ask(session: &mut Session, path: &str) -> u64 {
    let params = json!({ "textDocument": { "uri": session.uri(path) } });
    session.begin("textDocument/diagnostic", params)
}

fn pulled(session: &mut Session, path: &str) -> Vec<Value> {
    let id = ask(session, path);
    let result = session.answer(id)["result"].take();
    assert_eq!(result["kind"], "full", "{result}");
    result["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["code"].clone())
        .collect()
}

#[test]
fn pulled_diagnostics_are_not_pushed_as_well() {
    let mut session = session(0);
    session.open("a.py", "python", GOOD);
    assert!(pulled(&mut session, "a.py").is_empty());
    session.change("a.py", 2, json!([{ "text": BAD }]));
    assert_eq!(pulled(&mut session, "a.py"), [RULE]);
    assert!(pulled(&mut session, "never-opened.py").is_empty());
    let document = json!({ "textDocument": { "uri": session.uri("a.py") } });
    session.notify("textDocument/didClose", document);
    session.request("shutdown", json!(null));
    assert!(session.seen.is_empty(), "{:?}", session.seen);
}

#[test]
fn a_cancelled_request_is_answered_as_cancelled() {
    let mut session = session(ENDLESS);
    session.open("a.py", "python", BAD);
    let ids = [ask(&mut session, "a.py"), ask(&mut session, "a.py")];
    for id in ids {
        session.notify("$/cancelRequest", json!({ "id": id }));
        assert_eq!(session.answer(id)["error"]["code"], -32800);
    }
}

#[test]
fn a_review_of_an_old_text_is_aborted() {
    let mut session = session(ENDLESS);
    session.open("a.py", "python", GOOD);
    let id = ask(&mut session, "a.py");
    session.change("a.py", 2, json!([{ "text": BAD }]));
    let error = session.answer(id)["error"].take();
    assert_eq!(
        (&error["code"], &error["data"]["retriggerRequest"]),
        (&json!(-32802), &json!(true))
    );
    let id = ask(&mut session, "a.py");
    session.request("shutdown", json!(null));
    assert_eq!(session.seen[0]["id"], id);
    assert_eq!(session.seen[0]["error"]["code"], -32800);
}

#[test]
fn a_new_commit_is_noticed() {
    let mut session = session(0);
    session.open("a.py", "python", BAD);
    assert_eq!(pulled(&mut session, "a.py"), [RULE]);
    std::fs::write(session.folder.join("a.py"), BAD).unwrap();
    git(
        &session.folder,
        &["commit", "--quiet", "--all", "--message", "bad"],
    );
    let changes = json!({ "changes": [{ "uri": session.uri(".git/HEAD"), "type": 2 }] });
    session.notify("workspace/didChangeWatchedFiles", changes);
    session.wait(|message| message["method"] == "workspace/diagnostic/refresh");
    assert!(pulled(&mut session, "a.py").is_empty());
}
