//! The influence of the repositories of the open files.

use std::fs;

use serde_json::{Value, json};

use crate::session::{BAD, GOOD, RULE, Session, git, repository, rules};

const OWN_RULE: &str = "\
id: ours/basket
languages: [Python]
title: Basket
summary: \"There is a basket.\"
priority: P0
category: LOGIC_BUG
rule:
  pattern: basket + $X
positive:
  - |
    +basket + [item]
    ^
negative:
  - |
    +item
";

fn watched(session: &mut Session, path: &str) {
    let changes = json!({ "changes": [{ "uri": session.uri(path), "type": 2 }] });
    session.notify("workspace/didChangeWatchedFiles", changes);
}

#[test]
fn a_new_commit_leads_to_new_results() {
    let mut session = Session::begun(
        json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } }),
    );
    let asked = session.wait(|message| message["method"] == "client/registerCapability");
    let watchers = asked["params"]["registrations"][0]["registerOptions"]["watchers"].to_string();
    assert!(
        watchers.contains("**/.git/") && watchers.contains(".hunkwise.toml"),
        "{watchers}"
    );
    session.open("a.py", "python", BAD);
    assert_eq!(rules(&session.published("a.py", 1)), [RULE]);
    fs::write(session.folder.join("a.py"), BAD).unwrap();
    git(
        &session.folder,
        &["commit", "--quiet", "--all", "--message", "bad"],
    );
    watched(&mut session, ".git/logs/HEAD");
    assert!(session.published("a.py", 1).is_empty());
}

#[test]
fn the_base_can_be_another_revision() {
    let mut session = Session::start();
    fs::write(session.folder.join("a.py"), BAD).unwrap();
    git(&session.folder, &["switch", "--quiet", "--create", "work"]);
    git(
        &session.folder,
        &["commit", "--quiet", "--all", "--message", "bad"],
    );
    session.initialize(json!({}), json!({ "pauseMilliseconds": 0, "base": "main" }));
    session.open("a.py", "python", BAD);
    assert_eq!(rules(&session.published("a.py", 1)), [RULE]);
    fs::write(
        session.folder.join(".hunkwise.toml"),
        format!("[rules]\n\"{RULE}\" = \"off\"\n"),
    )
    .unwrap();
    watched(&mut session, ".hunkwise.toml");
    assert_eq!(
        rules(&session.published("a.py", 1)),
        [RULE],
        "the merge base has no configuration"
    );
}

#[test]
fn if_the_base_is_missing_the_change_against_head_is_reviewed_with_one_message() {
    let mut session = Session::start();
    session.initialize(
        json!({}),
        json!({ "pauseMilliseconds": 0, "base": "nowhere" }),
    );
    session.open("a.py", "python", BAD);
    let output = session.wait_for_text("window/showMessage");
    assert!(
        output.contains("there is no commit \"nowhere\"") && output.contains("HEAD"),
        "{output}"
    );
    assert_eq!(rules(&session.published("a.py", 1)), [RULE]);
    session.change("a.py", 2, json!([{ "text": GOOD }]));
    session.published("a.py", 2);
    assert!(
        !session
            .seen
            .iter()
            .any(|message| message["method"] == "window/showMessage")
    );
}

#[test]
fn the_current_configuration_and_rules_apply() {
    let mut session = Session::begun(json!({}));
    session.open("a.py", "python", BAD);
    assert_eq!(rules(&session.published("a.py", 1)), [RULE]);
    fs::write(
        session.folder.join(".hunkwise.toml"),
        format!("[rules]\n\"{RULE}\" = \"off\"\n"),
    )
    .unwrap();
    watched(&mut session, ".hunkwise.toml");
    assert!(session.published("a.py", 1).is_empty());
    fs::create_dir_all(session.folder.join(".hunkwise/rules")).unwrap();
    fs::write(session.folder.join(".hunkwise/rules/ours.yml"), OWN_RULE).unwrap();
    let text = BAD.replace("basket + [item]", "basket + [item, 1]");
    session.change("a.py", 2, json!([{ "text": text }]));
    assert_eq!(rules(&session.published("a.py", 2)), ["ours/basket"]);
    assert!(
        !session
            .seen
            .iter()
            .any(|message| message["method"] == "window/showMessage"),
        "{:?}",
        session.seen
    );
    fs::write(session.folder.join(".hunkwise.toml"), "rules = 7\n").unwrap();
    let saved = json!({ "textDocument": { "uri": session.uri(".hunkwise.toml") } });
    session.notify("textDocument/didSave", saved);
    assert!(
        session
            .wait_for_text("window/showMessage")
            .contains(".hunkwise.toml:1:")
    );
}

#[test]
fn a_file_outside_of_any_repository_is_reported_once() {
    let mut session = Session::start();
    session.request(
        "initialize",
        json!({ "capabilities": {}, "initializationOptions": { "pauseMilliseconds": 0 } }),
    );
    let elsewhere = tempfile::tempdir().unwrap();
    let path = elsewhere.path().join("a.py").display().to_string();
    session.open(&path, "python", BAD);
    assert!(
        session
            .wait_for_text("window/logMessage")
            .ends_with("the file is not in a git checkout")
    );
    assert!(session.published(&path, 1).is_empty());
    session.change(&path, 2, json!([{ "text": GOOD }]));
    assert!(session.published(&path, 2).is_empty());
    assert_eq!(session.seen, [Value::Null; 0]);
}

#[test]
fn a_file_is_reviewed_while_its_folder_is_open() {
    let mut session = Session::begun(json!({}));
    let other = tempfile::tempdir().unwrap();
    repository(other.path());
    let path = other.path().join("a.py").display().to_string();
    session.open(&path, "python", BAD);
    assert!(
        session
            .wait_for_text("window/logMessage")
            .contains("not a file in the folders that are open")
    );
    let folder =
        json!({ "uri": session.uri(&other.path().display().to_string()), "name": "other" });
    let event = json!({ "event": { "added": [folder], "removed": [] } });
    session.notify("workspace/didChangeWorkspaceFolders", event);
    assert_eq!(rules(&session.published(&path, 1)), [RULE]);
}

#[test]
fn a_too_large_file_is_reported_once() {
    let mut session = Session::begun(json!({}));
    session.open("large.py", "python", &"x = 1\n".repeat(1_000_000));
    assert!(
        session
            .wait_for_text("window/logMessage")
            .contains("large.py: not reviewed: the file is larger than")
    );
    assert!(session.published("large.py", 1).is_empty());
    let start = json!({ "line": 0, "character": 0 });
    session.change(
        "large.py",
        2,
        json!([{ "range": { "start": start, "end": start }, "text": "y" }]),
    );
    assert!(session.published("large.py", 2).is_empty());
    assert_eq!(session.seen, [Value::Null; 0]);
}

#[test]
fn broken_uses_in_other_files_are_shown_at_the_change() {
    let mut session = Session::begun(json!({}));
    let shop = "def total(prices):\n    return sum(prices)\n";
    fs::write(session.folder.join("shop.py"), shop).unwrap();
    git(&session.folder, &["add", "--all"]);
    git(&session.folder, &["commit", "--quiet", "--message", "shop"]);
    let other = "from shop import total\n\nprint(total([1]))\n";
    fs::write(session.folder.join("b.py"), other).unwrap();
    session.open(
        "shop.py",
        "python",
        &shop.replace("(prices):", "(prices, tax):"),
    );
    let shown = session.published("shop.py", 1);
    assert_eq!(rules(&shown), ["any/signature-callers-not-adapted"]);
    assert!(
        shown[0]["message"].as_str().unwrap().contains("b.py:3"),
        "{shown:?}"
    );
}
