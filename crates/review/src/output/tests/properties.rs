//! Which properties of an answer a format shows. Tests of other crates include this file, for the pages and protocols
//! that show an answer as well.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// The change that [`complete`] is about.
pub(crate) const DIFF: &str = "\
--- a/src/cart.py
+++ b/src/cart.py
@@ -1,4 +1,3 @@
-def add(item, basket):
+def add(item, basket=[]):
     basket.append(item)
-    check(basket)
     return basket
";

/// The properties that every format shows: the place and the text of a finding, and why it is suppressed.
const INDISPENSABLE: [&str; 12] = [
    "findings[].filePath",
    "findings[].lineNumber",
    "findings[].priority",
    "findings[].summary",
    "findings[].ruleId",
    "metadata.suppressedFindings[].finding.filePath",
    "metadata.suppressedFindings[].finding.lineNumber",
    "metadata.suppressedFindings[].finding.priority",
    "metadata.suppressedFindings[].finding.summary",
    "metadata.suppressedFindings[].finding.ruleId",
    "metadata.suppressedFindings[].suppression.lineNumber",
    "metadata.suppressedFindings[].suppression.reason",
];

/// Properties that a format leaves out, each with the reason. A name that ends with `*` covers all that start with the text before it.
pub(crate) type LeftOut<'a> = &'a [(&'a str, &'a str)];

fn finding(line: u32) -> Value {
    let place = json!({ "filePath": "src/cart.py", "lineNumber": 2, "lineSide": "NEW" });
    json!({
        "filePath": "src/cart.py", "lineNumber": line, "lineSide": "NEW", "oldLineNumber": 1,
        "hunkHeader": "@@ -1,4 +1,3 @@", "priority": "P1", "category": "LOGIC_BUG", "summary": "All calls share it.",
        "suggestedFix": "Use None.", "ruleId": "python/x", "fingerprint": "6f1d2c3b4a59", "confidence": 0.5,
        "startColumn": 5, "endLine": line, "endColumn": 9,
        "replacement": { "startLine": line, "startColumn": 5, "endLine": line, "endColumn": 9, "text": "None" },
        "relatedLocations": [place], "references": [{ "filePath": "src/shop.py", "lineNumber": 7 }],
        "baselineState": "NEW",
    })
}

/// An answer in which each property has a value and each list an item.
pub(crate) fn complete() -> Value {
    let warning = |code: &str| json!({ "code": code, "message": "Why.", "filePath": "logo.png" });
    json!({
        "requestId": "r", "clientReference": "ci-1", "findings": [finding(1)],
        "metadata": {
            "processingMs": 70, "chunksAnalyzed": 2, "engines": ["rules"], "model": "m",
            "tokenUsage": { "promptTokens": 10, "completionTokens": 2, "totalTokens": 12, "estimated": false },
            "modelUse": {
                "recipients": [{ "host": "h", "model": "m" }], "calls": 1, "sentBytes": 90, "cachedTokens": 3,
                "lookUps": { "read": 1, "search": 1, "definition": 1, "callers": 1, "refused": 1 }, "cost": 0.5,
            },
            "warnings": [warning("FILE_SKIPPED_BINARY"), warning("FINDINGS_MERGED")], "testFiles": ["src/cart.py"],
            "suppressedFindings": [{ "finding": finding(2), "suppression": { "lineNumber": 1, "reason": "it is fine" } }],
        },
    })
}

/// Checks that each property is shown or left out on purpose: whether it is shown is whether another value makes a
/// difference. `show` is the output for an answer, or `None` if it is not one.
pub(crate) fn check(what: &str, left_out: LeftOut<'_>, show: impl Fn(&Value) -> Option<String>) {
    let original = complete();
    let before = show(&original).expect("a complete answer is one");
    let mut leaves = Vec::new();
    collect(&original, String::new(), &mut leaves);
    let (mut all, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for pointer in leaves {
        let name = name(&pointer);
        let outputs: Vec<String> = others(original.pointer(&pointer).unwrap())
            .into_iter()
            .filter_map(|other| {
                let mut changed = original.clone();
                *changed.pointer_mut(&pointer).unwrap() = other;
                show(&changed)
            })
            .collect();
        assert!(!outputs.is_empty(), "{name} has no other value");
        if outputs.iter().any(|output| *output != before) {
            shown.insert(name.clone());
        }
        all.insert(name);
    }
    let is_listed = |name: &str| left_out.iter().any(|(listed, _)| stands_for(listed, name));
    let forgotten: Vec<_> = all
        .difference(&shown)
        .filter(|name| !is_listed(name))
        .collect();
    let outdated: Vec<_> = shown.iter().filter(|name| is_listed(name)).collect();
    let unknown: Vec<_> = left_out
        .iter()
        .filter(|(listed, reason)| {
            reason.is_empty() || !all.iter().any(|name| stands_for(listed, name))
        })
        .collect();
    let missing: Vec<_> = INDISPENSABLE
        .iter()
        .filter(|name| !shown.contains(**name))
        .collect();
    assert!(
        forgotten.is_empty() && outdated.is_empty() && unknown.is_empty() && missing.is_empty(),
        "{what} neither shows nor leaves out on purpose: {forgotten:#?}\nshows what is listed as left out: {outdated:#?}\n\
         lists what does not exist or without a reason: {unknown:#?}\nlacks what is indispensable: {missing:#?}"
    );
}

fn stands_for(listed: &str, name: &str) -> bool {
    match listed.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => name == listed,
    }
}

/// The JSON pointers of all values that are not lists or objects.
fn collect(value: &Value, at: String, leaves: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                collect(member, format!("{at}/{name}"), leaves);
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                collect(item, format!("{at}/{index}"), leaves);
            }
        }
        Value::Null => panic!("{at} has no value"),
        Value::Bool(_) | Value::Number(_) | Value::String(_) => leaves.push(at),
    }
}

/// `findings[].summary` for the pointer `/findings/0/summary`.
fn name(pointer: &str) -> String {
    let mut name = String::new();
    for part in pointer.split('/').skip(1) {
        if part.bytes().all(|byte| byte.is_ascii_digit()) {
            name.push_str("[]");
        } else {
            name.push_str(if name.is_empty() { "" } else { "." });
            name.push_str(part);
        }
    }
    name
}

/// Other values of the same kind, some of which an answer may have.
fn others(value: &Value) -> Vec<Value> {
    const NAMES: [&str; 4] = ["P3", "OLD", "UNCHANGED", "SECURITY"];
    match value {
        Value::Bool(flag) => vec![json!(!flag)],
        Value::Number(number) if number.is_f64() => vec![json!(number.as_f64().unwrap() + 0.1)],
        Value::Number(number) => {
            let number = number.as_u64().unwrap();
            vec![json!(number + 1), json!(number + 1_000)]
        }
        Value::String(text) => {
            let longer = [json!(format!("{text}x"))].into_iter();
            longer.chain(NAMES.map(Value::from)).collect()
        }
        other => panic!("{other} is not a single value"),
    }
}
