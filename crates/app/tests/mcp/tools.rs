//! What an agent does in the usual case.

use serde_json::{Value, json};

use crate::session::{BAD, GOOD, RULE, Session, added, findings, text};

#[test]
fn a_coloured_diff_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.initialize(None);
    let coloured: String = added("a.py", BAD).lines().map(|line| format!("\u{1b}[1m{line}\u{1b}[m\n")).collect();
    let result = session.call("review_diff", json!({ "diff": coloured }));
    assert_eq!(findings(&result), [format!("a.py:1 {RULE}")], "{result}");
}

#[test]
fn it_says_who_it_is_and_what_its_tools_take_and_give() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    let begun = session.initialize(None);
    assert_eq!(begun["result"]["serverInfo"]["name"], "hunkwise", "{begun}");
    assert_eq!(begun["result"]["protocolVersion"], "2025-06-18", "{begun}");
    let listed = session.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["review_diff", "review_working_tree", "explain_rule", "list_rules"]);
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert!(!tool.to_string().contains("#/components"), "a schema is complete in itself: {tool}");
    }
    assert_eq!(session.close(), (Vec::new(), 0));
}

#[test]
fn a_diff_is_reviewed_and_the_text_is_the_short_form_of_the_data() {
    let mut session = Session::begun();
    let result = session.call("review_diff", json!({ "diff": added("a.py", BAD) }));
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(findings(&result), [format!("a.py:1 {RULE}")]);
    assert_eq!(result["structuredContent"]["metadata"]["engines"], json!(["rules"]));
    let text = text(&result);
    assert!(text.starts_with(&format!("a.py:1\tP2\t{RULE}\t")), "{text}");
    assert!(text.ends_with("sum\t1 finding (1 P2) in 1 file, 0 not reviewed\n"), "{text}");
    let clean = session.call("review_diff", json!({ "diff": added("a.py", GOOD) }));
    assert_eq!(findings(&clean), [""; 0]);
    let sure = session.call("review_diff", json!({ "diff": added("a.py", BAD), "minConfidence": 1.0 }));
    assert_eq!(findings(&sure), [""; 0]);
    let named = session.call("review_diff", json!({ "diff": added("script", BAD), "language": "py" }));
    assert_eq!(findings(&named), [format!("script:1 {RULE}")]);
}

#[test]
fn progress_is_reported_only_to_clients_that_ask_for_it() {
    let mut session = Session::begun();
    let diff: String = (0..5).map(|n| added(&format!("a{n}.py"), BAD)).collect();
    session.call("review_diff", json!({ "diff": diff }));
    assert_eq!(session.notifications, [Value::Null; 0]);
    let params = json!({ "name": "review_diff", "arguments": { "diff": diff }, "_meta": { "progressToken": "p" } });
    session.request("tools/call", params);
    let notifications = &session.notifications;
    assert!(notifications.iter().all(|one| one["method"] == "notifications/progress"), "{notifications:?}");
    assert!(
        notifications.iter().all(|one| one["params"]["progressToken"] == "p" && one["params"]["total"] == 5.0),
        "{notifications:?}"
    );
    let steps: Vec<f64> = notifications.iter().map(|one| one["params"]["progress"].as_f64().unwrap()).collect();
    assert!(steps.is_sorted_by(|a, b| a < b) && steps.last() == Some(&5.0), "{steps:?}");
}

#[test]
fn a_rule_is_explained_and_the_rules_are_listed() {
    let mut session = Session::begun();
    let result = session.call("explain_rule", json!({ "ruleId": RULE }));
    assert_eq!(result["structuredContent"]["ruleId"], RULE, "{result}");
    assert!(text(&result).contains(RULE), "{result}");
    let listed = session.call("list_rules", json!({ "language": "python", "category": "LOGIC_BUG" }));
    let rules = listed["structuredContent"]["rules"].as_array().unwrap();
    assert!(!rules.is_empty() && rules.iter().all(|rule| rule["category"] == "LOGIC_BUG"), "{listed}");
    let all = session.call("list_rules", json!({}));
    assert!(all["structuredContent"]["rules"].as_array().unwrap().len() > rules.len());
    assert!(text(&all).lines().count() <= 102, "the short form is short");
}
