//! The influence of the repositories of the open files.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

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

/// A session in which each call of git is written to a file.
#[expect(clippy::disallowed_methods, reason = "the programs of this machine")]
fn with_recorded_git() -> Session {
    Session::start_with(|folder, command| {
        let path = std::env::var("PATH").unwrap();
        let calls = folder.join(".git/calls");
        let script = format!(
            "#!/bin/sh\necho \"$@\" >> '{}'\nPATH='{path}' exec git \"$@\"\n",
            calls.display()
        );
        let bin = folder.join(".git/bin");
        fs::create_dir(&bin).unwrap();
        fs::write(bin.join("git"), script).unwrap();
        fs::set_permissions(bin.join("git"), fs::Permissions::from_mode(0o755)).unwrap();
        command.env("PATH", format!("{}:{path}", bin.display()));
    })
}

#[test]
fn the_files_are_listed_again_only_if_some_may_have_been_created() {
    let mut session = with_recorded_git();
    let folder = session.folder.clone();
    fs::create_dir(folder.join("shop")).unwrap();
    for (path, text) in [
        ("shop/__init__.py", ""),
        (
            "shop/prices.py",
            "def total(items):\n    return sum(items)\n",
        ),
    ] {
        fs::write(folder.join(path), text).unwrap();
    }
    session.initialize(json!({}), json!({ "pauseMilliseconds": 0 }));
    let lists = || {
        let calls = fs::read_to_string(folder.join(".git/calls")).unwrap();
        calls.matches("ls-files --cached --others").count()
    };
    let using = |module: &str, items: u32| {
        format!("from .{module} import total\n\n\ndef f():\n    return total([{items}])\n")
    };
    session.open("shop/cart.py", "python", &using("prices", 1));
    assert!(session.published("shop/cart.py", 1).is_empty());
    assert_eq!(lists(), 1);
    let mut change = |version: i32, text: String| {
        session.change("shop/cart.py", version, json!([{ "text": text }]));
        session.published("shop/cart.py", version)
    };
    assert!(change(2, using("prices", 2)).is_empty());
    assert_eq!(lists(), 1, "typing creates no files");
    assert_eq!(
        rules(&change(3, using("taxes", 3))),
        ["any/import-not-found"]
    );
    assert_eq!(lists(), 2, "before a finding is published");
    fs::write(
        folder.join("shop/taxes.py"),
        "def total(items):\n    return 1\n",
    )
    .unwrap();
    assert!(change(4, using("taxes", 4)).is_empty());
    assert_eq!(lists(), 4, "the list was outdated, and so was read again");
    assert!(change(5, using("taxes", 5)).is_empty());
    assert_eq!(lists(), 4);
    let saved = json!({ "textDocument": { "uri": session.uri("shop/cart.py") } });
    session.notify("textDocument/didSave", saved);
    assert!(session.published("shop/cart.py", 5).is_empty());
    assert_eq!(lists(), 5, "another program may have created files");
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
