//! The review of a checkout, and its restriction to the roots.

use std::fs;

use serde_json::{Value, json};

use crate::session::{RULE, Session, findings, repository, text};

fn uri(folder: &std::path::Path) -> String {
    format!("file://{}", folder.canonicalize().unwrap().display())
}

#[test]
fn the_current_folder_is_reviewed_for_a_client_without_roots() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    fs::copy(folder.path().join("a.py"), folder.path().join("new.py")).unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.initialize(None);
    let result = session.call("review_working_tree", json!({}));
    let tracked = [format!("a.py:1 {RULE}"), format!("sub/b.py:1 {RULE}")];
    let new = format!("new.py:1 {RULE}");
    assert_eq!(
        findings(&result),
        [tracked[0].clone(), new, tracked[1].clone()]
    );
    assert_eq!(result["structuredContent"]["untrackedFiles"], 0);
    let result = session.call("review_working_tree", json!({ "untracked": false }));
    assert_eq!(findings(&result), tracked);
    assert_eq!(result["structuredContent"]["untrackedFiles"], 1);
    assert!(
        text(&result).starts_with("untracked\t1 not reviewed"),
        "{result}"
    );
    let unchanged = session.call("review_working_tree", json!({ "staged": true }));
    assert_eq!(findings(&unchanged), [""; 0]);
    assert_eq!(
        text(&unchanged),
        "sum\tno findings in 0 files, 0 not reviewed\n"
    );
    assert_eq!(
        findings(&session.call("review_working_tree", json!({ "base": "main" }))).len(),
        3
    );
    assert_eq!(
        findings(&session.call("review_working_tree", json!({ "path": "sub" }))).len(),
        1
    );
    assert!(
        session
            .refused("review_working_tree", json!({ "path": ".." }))
            .contains("not a folder in the client's roots")
    );
}

#[test]
fn the_repositorys_configuration_applies() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    fs::write(
        folder.path().join(".hunkwise.toml"),
        "ignore = [\"sub/**\"]\n",
    )
    .unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.initialize(None);
    let result = session.call("review_working_tree", json!({}));
    assert_eq!(findings(&result), [format!("a.py:1 {RULE}")]);
    assert!(text(&result).contains("not reviewed\tsub/b.py"), "{result}");
    let since_base = session.call("review_working_tree", json!({ "base": "main" }));
    assert_eq!(
        findings(&since_base).len(),
        2,
        "the merge base has no configuration"
    );
    let warning = &since_base["structuredContent"]["metadata"]["warnings"][0];
    let message = warning["message"].as_str().unwrap();
    assert!(
        message.starts_with("the change to .hunkwise.toml takes effect once it is merged"),
        "{message}"
    );
}

#[test]
fn nothing_outside_of_the_roots_is_read() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    repository(folder.path());
    repository(other.path());
    let sub = folder.path().join("sub");
    std::os::unix::fs::symlink(other.path(), sub.join("link")).unwrap();
    let mut session = Session::start(other.path(), &[]);
    session.initialize(Some(vec![uri(&sub)]));
    let result = session.call("review_working_tree", json!({}));
    let found = findings(&result);
    assert!(found.contains(&format!("sub/b.py:1 {RULE}")), "{found:?}");
    assert!(
        !found.iter().any(|found| found.contains("a.py")),
        "not a.py, which is above the root: {found:?}"
    );
    for outside in [
        "..",
        "link",
        "nowhere",
        other.path().to_str().unwrap(),
        folder.path().to_str().unwrap(),
    ] {
        let why = session.refused("review_working_tree", json!({ "path": outside }));
        assert!(why.contains("not a folder in the client's roots"), "{why}");
    }
}

#[test]
fn errors_are_explained_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.initialize(None);
    assert!(
        session
            .refused("review_working_tree", json!({}))
            .contains("not in a git checkout")
    );
    let both = json!({ "staged": true, "base": "main" });
    assert!(
        session
            .refused("review_working_tree", both)
            .contains("cannot be combined")
    );
    let mut rootless = Session::start(folder.path(), &[]);
    rootless.initialize(Some(vec![
        "https://example.com/".to_owned(),
        "file:///no/such/folder".to_owned(),
    ]));
    assert!(
        rootless
            .refused("review_working_tree", json!({}))
            .contains("no root that is a folder")
    );
    repository(folder.path());
    let why = session.refused("review_working_tree", json!({ "base": "--output=x" }));
    assert!(why.contains("there is no commit"), "{why}");
    assert_eq!(session.notifications, [Value::Null; 0]);
}

#[test]
fn custom_rules_of_the_repository_are_listed_and_explained() {
    let folder = tempfile::tempdir().unwrap();
    repository(folder.path());
    let own = "id: acme/raw-query\nlanguages: [Python]\ntitle: Query without parameters\nsummary: A query is built by hand.\n\
               priority: P1\ncategory: SECURITY\nrule: {pattern: query_raw($$$)}\n\
               positive:\n  - |\n    +query_raw(text)\n    ^\nnegative:\n  - |\n    +query(text, values)\n";
    fs::create_dir_all(folder.path().join(".hunkwise/rules")).unwrap();
    fs::write(folder.path().join(".hunkwise/rules/query.yml"), own).unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.initialize(Some(vec![uri(folder.path())]));
    let listed = session.call("list_rules", json!({ "language": "python" }));
    let rules = listed["structuredContent"]["rules"].as_array().unwrap();
    let field = |name: &str| -> Vec<&str> {
        rules
            .iter()
            .map(|rule| rule[name].as_str().unwrap())
            .collect()
    };
    let ids = field("ruleId");
    assert!(
        ids.contains(&"acme/raw-query") && ids.contains(&"any/hard-coded-token"),
        "{ids:?}"
    );
    assert!(field("priority").is_sorted(), "{rules:?}");
    let explained = session.call("explain_rule", json!({ "ruleId": "raw-query" }));
    assert_eq!(
        explained["structuredContent"]["title"],
        "Query without parameters"
    );
    fs::write(folder.path().join(".hunkwise/rules/query.yml"), "id: x").unwrap();
    let why = session.refused("list_rules", json!({}));
    assert!(why.contains("query.yml"), "{why}");
}
