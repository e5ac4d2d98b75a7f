//! Diagnostics that the server pushes.

use serde_json::json;

use crate::session::{BAD, GOOD, RULE, Session, edit, git, rules};

#[test]
fn an_unsaved_change_is_reviewed_against_the_last_commit() {
    let mut session = Session::begun(json!({}));
    session.open("a.py", "python", GOOD);
    assert!(session.published("a.py", 1).is_empty());
    session.change("a.py", 2, json!([edit((0, 20), (0, 20), "=[]")]));
    let found = session.published("a.py", 2);
    assert_eq!(rules(&found), [RULE]);
    assert_eq!(found[0]["source"], "hunkwise");
    assert_eq!(found[0]["severity"], 2);
    assert_eq!(
        found[0]["range"],
        json!({ "start": { "line": 0, "character": 21 }, "end": { "line": 0, "character": 23 } })
    );
    assert!(
        found[0]["message"].as_str().unwrap().contains("\nFix: "),
        "{}",
        found[0]
    );
    let page = found[0]["codeDescription"]["href"]
        .as_str()
        .unwrap()
        .strip_prefix("file://")
        .unwrap();
    assert!(
        page.ends_with("/python/mutable-default-argument.md"),
        "{page}"
    );
    assert!(
        std::fs::read_to_string(page).unwrap().contains(RULE),
        "{page}"
    );
    session.change("a.py", 3, json!([{ "text": GOOD }]));
    assert!(session.published("a.py", 3).is_empty());
}

#[test]
fn a_whole_file_from_the_editor_is_reviewed() {
    let code = format!(
        "import json\n{}\ndef load(path):\n    return json.load(path)\n",
        "# a comment\n".repeat(20)
    );
    let mut session = Session::begun(json!({}));
    std::fs::write(session.folder.join("whole.py"), &code).unwrap();
    git(&session.folder, &["add", "whole.py"]);
    git(
        &session.folder,
        &["commit", "--quiet", "--message", "whole"],
    );
    session.open(
        "whole.py",
        "python",
        &code.replace("load(path)\n", "load(paht)\n"),
    );
    assert_eq!(
        rules(&session.published("whole.py", 1)),
        ["any/undefined-name"]
    );
}

#[test]
fn several_changes_in_one_message_are_applied_in_order() {
    let mut session = Session::begun(json!({}));
    session.open("a.py", "python", "");
    session.change(
        "a.py",
        2,
        json!([{ "text": "# 😀\n" }, edit((0, 4), (0, 4), "!"), edit((1, 0), (1, 0), BAD)]),
    );
    let found = session.published("a.py", 2);
    assert_eq!(
        (rules(&found), &found[0]["range"]["start"]["line"]),
        (vec![RULE], &json!(1))
    );
}

#[test]
fn columns_use_the_negotiated_encoding() {
    for (names, name, column) in [
        (json!([]), "utf-16", 20),
        (json!(["utf-8", "utf-16"]), "utf-8", 23),
        (json!(["utf-7", "utf-32"]), "utf-32", 19),
    ] {
        let mut session = Session::start();
        let capabilities = json!({ "general": { "positionEncodings": names } });
        let answer = session.initialize(capabilities, json!({ "pauseMilliseconds": 0 }));
        assert_eq!(answer["result"]["capabilities"]["positionEncoding"], name);
        session.open(
            "new.py",
            "python",
            "def f(é='😀', items=[]):\n    return é, items\n",
        );
        let found = session.published("new.py", 1);
        assert_eq!(
            (rules(&found), &found[0]["range"]["start"]["character"]),
            (vec![RULE], &json!(column)),
            "{name}"
        );
    }
}

#[test]
fn all_lines_of_a_new_file_count_as_added_and_an_ignored_file_is_not_reviewed() {
    let mut session = Session::begun(json!({}));
    std::fs::write(session.folder.join(".gitignore"), "*.gen.py\n").unwrap();
    session.open("sub-not-there.py", "python", BAD);
    assert_eq!(rules(&session.published("sub-not-there.py", 1)), [RULE]);
    session.open("x.gen.py", "python", BAD);
    assert!(session.published("x.gen.py", 1).is_empty());
}

#[test]
fn a_finding_on_a_removed_line_is_shown_next_to_it() {
    let mut session = Session::begun(json!({}));
    let new = "package cache\n\nfunc (c *Cache) Put(k string, v int) {\n\tc.items[k] = v\n}\n";
    let old = new.replace(
        "\tc.items",
        "\tc.mu.Lock()\n\tdefer c.mu.Unlock()\n\tc.items",
    );
    std::fs::write(session.folder.join("a.go"), old).unwrap();
    git(&session.folder, &["add", "a.go"]);
    git(&session.folder, &["commit", "--quiet", "--message", "lock"]);
    session.open("a.go", "go", new);
    let found = session.published("a.go", 1);
    let message = found.first().unwrap_or_else(|| panic!("nothing"))["message"]
        .as_str()
        .unwrap();
    assert!(message.ends_with("(about the removed line 4)"), "{message}");
    assert_eq!(
        found[0]["range"]["start"],
        json!({ "line": 3, "character": 1 })
    );
}

#[test]
fn closing_a_file_clears_it_and_only_the_last_text_counts() {
    let mut session = Session::begun(json!({}));
    session.open("a.py", "python", BAD);
    for version in 2..20 {
        session.change("a.py", version, json!([{ "text": GOOD }, { "text": BAD }]));
    }
    assert_eq!(rules(&session.published("a.py", 19)), [RULE]);
    let versions: Vec<i64> = session
        .seen
        .iter()
        .filter_map(|one| one["params"]["version"].as_i64())
        .collect();
    assert!(versions.is_sorted(), "{versions:?}");
    let document = json!({ "textDocument": { "uri": session.uri("a.py") } });
    session.notify("textDocument/didClose", document);
    assert!(session.published("a.py", None).is_empty());
}

#[test]
fn line_ends_converted_by_git_are_not_a_change() {
    let mut session = Session::begun(json!({}));
    session.open("a.py", "python", &GOOD.replace('\n', "\r\n"));
    assert!(session.published("a.py", 1).is_empty());
    session.change("a.py", 2, json!([{ "text": BAD.replace('\n', "\r\n") }]));
    assert_eq!(rules(&session.published("a.py", 2)), [RULE]);
}
