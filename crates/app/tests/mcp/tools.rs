//! The typical calls of an agent.

use serde_json::{Value, json};

use crate::session::{BAD, GOOD, RULE, Session, added, findings, text};

#[test]
fn a_coloured_diff_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    session.initialize(None);
    let coloured: String = added("a.py", BAD)
        .lines()
        .map(|line| format!("\u{1b}[1m{line}\u{1b}[m\n"))
        .collect();
    let result = session.call("review_diff", json!({ "diff": coloured }));
    assert_eq!(findings(&result), [format!("a.py:1 {RULE}")], "{result}");
}

#[test]
fn initialization_and_tool_schemas_are_complete() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = Session::start(folder.path(), &[]);
    let begun = session.initialize(None);
    assert_eq!(begun["result"]["serverInfo"]["name"], "hunkwise", "{begun}");
    assert_eq!(begun["result"]["protocolVersion"], "2025-06-18", "{begun}");
    let listed = session.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<&str> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "review_diff", "review_working_tree", "explain_rule", "list_rules"
        ]
    );
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert!(
            !tool.to_string().contains("#/components"),
            "a schema is complete in itself: {tool}"
        );
    }
    assert_eq!(session.close(), (Vec::new(), 0));
}

#[test]
fn a_review_result_has_data_and_a_short_text() {
    let mut session = Session::begun();
    let result = session.call("review_diff", json!({ "diff": added("a.py", BAD) }));
    assert_eq!(result["isError"], false, "{result}");
    assert_eq!(findings(&result), [format!("a.py:1 {RULE}")]);
    assert_eq!(
        result["structuredContent"]["metadata"]["engines"],
        json!(["rules"])
    );
    let text = text(&result);
    assert!(text.starts_with(&format!("a.py:1\tP2\t{RULE}\t")), "{text}");
    assert!(
        text.ends_with("sum\t1 finding (1 P2) in 1 file, 0 not reviewed\n"),
        "{text}"
    );
    let clean = session.call("review_diff", json!({ "diff": added("a.py", GOOD) }));
    assert_eq!(findings(&clean), [""; 0]);
    let sure = session.call(
        "review_diff",
        json!({ "diff": added("a.py", BAD), "minConfidence": 1.0 }),
    );
    assert_eq!(findings(&sure), [""; 0]);
    let named = session.call(
        "review_diff",
        json!({ "diff": added("script", BAD), "language": "py" }),
    );
    assert_eq!(findings(&named), [format!("script:1 {RULE}")]);
}

#[test]
fn progress_is_reported_only_on_request() {
    let mut session = Session::begun();
    let diff: String = (0..5).map(|n| added(&format!("a{n}.py"), BAD)).collect();
    session.call("review_diff", json!({ "diff": diff }));
    assert_eq!(session.notifications, [Value::Null; 0]);
    let params = json!({ "name": "review_diff", "arguments": { "diff": diff }, "_meta": { "progressToken": "p" } });
    session.request("tools/call", params);
    let notifications = &session.notifications;
    assert!(
        notifications
            .iter()
            .all(|one| one["method"] == "notifications/progress"),
        "{notifications:?}"
    );
    assert!(
        notifications
            .iter()
            .all(|one| one["params"]["progressToken"] == "p" && one["params"]["total"] == 5.0),
        "{notifications:?}"
    );
    let steps: Vec<f64> = notifications
        .iter()
        .map(|one| one["params"]["progress"].as_f64().unwrap())
        .collect();
    assert!(
        steps.is_sorted_by(|a, b| a < b) && steps.last() == Some(&5.0),
        "{steps:?}"
    );
}

#[test]
fn rules_are_explained_and_listed() {
    let mut session = Session::begun();
    let result = session.call("explain_rule", json!({ "ruleId": RULE }));
    assert_eq!(result["structuredContent"]["ruleId"], RULE, "{result}");
    assert!(text(&result).contains(RULE), "{result}");
    let listed = session.call(
        "list_rules",
        json!({ "language": "python", "category": "LOGIC_BUG" }),
    );
    let rules = listed["structuredContent"]["rules"].as_array().unwrap();
    assert!(
        !rules.is_empty() && rules.iter().all(|rule| rule["category"] == "LOGIC_BUG"),
        "{listed}"
    );
}

/// Maximum size of a result, in bytes: 20,000 tokens of three bytes each.
const MOST: usize = 60_000;

#[test]
fn the_list_of_all_rules_comes_in_pages() {
    let mut session = Session::begun();
    let (mut arguments, mut found) = (json!({}), Vec::new());
    let mut total;
    loop {
        let page = session.call("list_rules", arguments.clone());
        assert!(page.to_string().len() < MOST, "{}", page.to_string().len());
        let data = &page["structuredContent"];
        let row = |rule: &Value| (rule["priority"].to_string(), rule["ruleId"].to_string());
        found.extend(data["rules"].as_array().unwrap().iter().map(row));
        total = data["total"].as_u64().unwrap();
        assert!(text(&page).ends_with(&format!("sum\t{total} rules\n")));
        let Some(next) = data["nextCursor"].as_str() else {
            break;
        };
        let more = format!(
            "more\t{} rules; to get them, call list_rules again",
            total - found.len() as u64
        );
        assert!(text(&page).contains(&more), "{page}");
        arguments["cursor"] = json!(next);
    }
    assert_eq!(found.len() as u64, total);
    assert!(
        total > 500 && found.is_sorted_by(|a, b| a < b),
        "each rule once, most important first"
    );
    let two = session.call("list_rules", json!({ "limit": 2 }));
    assert_eq!(
        two["structuredContent"]["rules"].as_array().unwrap().len(),
        2
    );
}

#[test]
fn a_large_review_comes_in_pages() {
    let mut session = Session::begun();
    let diff: String = (0..400).map(|n| added(&format!("a{n}.py"), BAD)).collect();
    let (mut arguments, mut found) = (json!({ "diff": diff }), Vec::new());
    loop {
        let page = session.call("review_diff", arguments.clone());
        assert!(page.to_string().len() < MOST, "{}", page.to_string().len());
        found.extend(findings(&page));
        let data = &page["structuredContent"];
        assert_eq!(
            found.len() as u64 + data["remaining"]["findings"].as_u64().unwrap_or(0),
            400
        );
        let Some(next) = data["nextCursor"].as_str() else {
            break;
        };
        assert!(
            text(&page).contains(&format!("cursor \"{next}\"")),
            "{page}"
        );
        arguments["cursor"] = json!(next);
    }
    assert_eq!(
        found,
        (0..400)
            .map(|n| format!("a{n}.py:1 {RULE}"))
            .collect::<Vec<_>>()
    );
    let refused = session.refused(
        "review_diff",
        json!({ "diff": added("a.py", BAD), "cursor": "next" }),
    );
    assert_eq!(refused, "cursor: is not a cursor that this tool returned");
    let refused = session.refused("review_working_tree", json!({ "limit": 0 }));
    assert_eq!(refused, "limit: must be a whole number from 1 to 100");
}

#[test]
fn lists_of_unsupported_items_are_empty() {
    let mut session = Session::begun();
    for (method, name) in [
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ] {
        let answer = session.request(method, json!({}));
        assert_eq!(answer["result"][name], json!([]), "{answer}");
    }
    let long = session.request(&"x".repeat(1_000_000), json!({}));
    assert!(
        long["error"]["code"] == -32601 && long.to_string().len() < 1_000,
        "the method is not repeated"
    );
}

#[test]
fn the_clients_protocol_version_is_used_if_supported() {
    for (asked, spoken) in [
        ("2024-11-05", "2024-11-05"),
        ("2025-03-26", "2025-03-26"),
        ("2025-06-18", "2025-06-18"),
        ("2025-11-25", "2025-11-25"),
        ("2099-01-01", "2025-11-25"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let mut session = Session::start(folder.path(), &[]);
        let client = json!({ "name": "test", "version": "1" });
        let begin = json!({ "protocolVersion": asked, "capabilities": {}, "clientInfo": client });
        let answer = session.request("initialize", begin);
        assert_eq!(answer["result"]["protocolVersion"], spoken, "{answer}");
    }
}
