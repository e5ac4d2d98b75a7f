//! What the client is told of the tools.

use std::sync::Arc;

use review::Category;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::schema;

pub(super) const REVIEW_DIFF: &str = "review_diff";
pub(super) const REVIEW_WORKING_TREE: &str = "review_working_tree";
pub(super) const EXPLAIN_RULE: &str = "explain_rule";
pub(super) const LIST_RULES: &str = "list_rules";

/// All tools. None changes anything; where a language model is configured, a review asks it.
pub(super) fn all() -> Vec<Tool> {
    vec![review_diff(), review_working_tree(), explain_rule(), list_rules()]
}

fn review_diff() -> Tool {
    let input = input(
        json!({ "diff": text("A unified diff, as `git diff` prints it"), "language": language(), "minConfidence": confidence() }),
        &["diff"],
    );
    let what = "Finds defects in a unified diff: bugs, security flaws, leaks, lost checks. Each finding has a place, a \
                priority (P0 is the worst), what is wrong and what to do about it.";
    tool(REVIEW_DIFF, what, input, schema::review())
}

fn review_working_tree() -> Tool {
    let properties = json!({
        "path": text("The folder, absolute or relative to the client's first root; all of that root unless told"),
        "staged": { "type": "boolean", "description": "Only what is staged for the next commit" },
        "base": text("All changes since this branch left that revision, such as origin/main"),
        "language": language(),
        "minConfidence": confidence(),
    });
    let what = "Finds defects in what changed in a git checkout: the uncommitted change, unless told otherwise. Call it \
                after an edit, before you say that you are done. It obeys the repository's .hunkwise.toml and rules.";
    tool(REVIEW_WORKING_TREE, what, input(properties, &[]), schema::review_of_working_tree())
}

fn explain_rule() -> Tool {
    let input = input(json!({ "ruleId": text("The ID, such as python/mutable-default-argument") }), &["ruleId"]);
    let what = "Says why a rule matters and what to do, with a bad and a good example.";
    tool(EXPLAIN_RULE, what, input, explained())
}

fn list_rules() -> Tool {
    let categories: Vec<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
    let input = input(json!({ "language": language(), "category": { "type": "string", "enum": categories } }), &[]);
    let rules = json!({ "rules": { "type": "array", "items": object(rule(), &RULE) } });
    tool(
        LIST_RULES,
        "Lists the rules that reviews use, all or those of a language or a category.",
        input,
        object(rules, &["rules"]),
    )
}

fn tool(name: &'static str, description: &'static str, input: JsonObject, output: JsonObject) -> Tool {
    let hints = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
    Tool::new(name, description, input).with_raw_output_schema(Arc::new(output)).with_annotations(hints)
}

/// What a rule always has.
const RULE: [&str; 5] = ["ruleId", "title", "priority", "category", "languages"];

fn rule() -> Value {
    json!({
        "ruleId": text("folder/name-of-the-pattern"),
        "title": text("What is found"),
        "priority": text("P0 to P3"),
        "category": text("The kind of defect"),
        "languages": texts("By Linguist's names; empty for every language"),
    })
}

fn explained() -> JsonObject {
    let mut properties = rule();
    let more = json!({
        "confidence": confidence(),
        "why": text("Why it bites"),
        "suggestedFix": text("What to do about it"),
        "badExample": text("A change that has the defect"),
        "goodExample": text("One that does not"),
        "references": texts("Where the defect is described"),
    });
    if let (Value::Object(properties), Value::Object(more)) = (&mut properties, more) {
        properties.extend(more);
    }
    object(properties, &[RULE.as_slice(), &["confidence", "why", "suggestedFix", "badExample", "goodExample"]].concat())
}

fn language() -> Value {
    text("By GitHub Linguist's names and aliases; of a review: of files whose path does not tell")
}

fn confidence() -> Value {
    json!({ "type": "number", "minimum": 0, "maximum": 1 })
}

fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn object(properties: Value, required: &[&str]) -> JsonObject {
    let members = [("type", json!("object")), ("properties", properties), ("required", json!(required))];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn input(properties: Value, required: &[&str]) -> JsonObject {
    let mut schema = object(properties, required);
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}
