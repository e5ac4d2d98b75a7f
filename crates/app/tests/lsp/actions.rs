//! Code actions for findings.

use serde_json::{Value, json};

use crate::session::{BAD, RULE, Session, edit, rules};

/// A finding with a replacement.
const FIXABLE: &str = "import os\n\nos.chmod('a', 644)\n";

fn actions(session: &mut Session, path: &str, line: u32) -> Vec<Value> {
    let at = json!({ "line": line, "character": 0 });
    let params = json!({
        "textDocument": { "uri": session.uri(path) }, "range": { "start": at, "end": { "line": line, "character": 99 } },
        "context": { "diagnostics": [] },
    });
    session.request("textDocument/codeAction", params)["result"]
        .take()
        .as_array()
        .unwrap()
        .clone()
}

fn versioned() -> Session {
    Session::begun(json!({ "workspace": { "workspaceEdit": { "documentChanges": true } } }))
}

#[test]
fn the_replacement_of_a_finding_is_a_quick_fix() {
    let mut session = versioned();
    session.open("new.py", "python", FIXABLE);
    let found = session.published("new.py", 1);
    let all = actions(&mut session, "new.py", 2);
    let fix = all
        .iter()
        .find(|action| action["isPreferred"] == true)
        .unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(
        (&fix["kind"], &fix["diagnostics"][0]),
        (&json!("quickfix"), &found[0])
    );
    let change = &fix["edit"]["documentChanges"][0];
    assert_eq!(
        change["textDocument"],
        json!({ "uri": session.uri("new.py"), "version": 1 })
    );
    assert_eq!(change["edits"][0]["newText"], "0o644");
    session.change(
        "new.py",
        2,
        json!([{ "range": change["edits"][0]["range"], "text": "0o644" }]),
    );
    assert!(session.published("new.py", 2).is_empty());
}

#[test]
fn a_finding_is_suppressed_by_a_comment_once_it_has_a_reason() {
    let mut session = Session::begun(json!({}));
    session.open("new.py", "python", BAD);
    assert_eq!(rules(&session.published("new.py", 1)), [RULE]);
    let all = actions(&mut session, "new.py", 0);
    let comment = &all[0]["edit"]["changes"][session.uri("new.py")][0];
    assert_eq!(
        comment["newText"],
        format!("# hunkwise:ignore {RULE} ...\n")
    );
    session.change(
        "new.py",
        2,
        json!([{ "range": comment["range"], "text": comment["newText"] }]),
    );
    assert!(rules(&session.published("new.py", 2)).contains(&RULE));
    let dots = u32::try_from(comment["newText"].as_str().unwrap().trim_end().len()).unwrap();
    session.change(
        "new.py",
        3,
        json!([edit((0, dots - 3), (0, dots), "never changed")]),
    );
    assert!(session.published("new.py", 3).is_empty());
}

#[test]
fn an_unreviewed_text_has_no_actions() {
    let mut session = Session::start();
    session.initialize(json!({}), json!({ "pauseMilliseconds": 3_600_000 }));
    session.open("new.py", "python", BAD);
    assert!(actions(&mut session, "new.py", 0).is_empty());
    assert!(actions(&mut session, "never-opened.py", 0).is_empty());
}
