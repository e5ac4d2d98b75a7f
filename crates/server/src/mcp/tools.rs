//! The descriptions of the tools. None changes anything; where a language model is configured, a review asks it.

use std::sync::Arc;

use review::Category;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::paging::MAX_LIMIT;

/// Reviews a diff.
pub const REVIEW_DIFF: &str = "review_diff";
/// Explains a rule.
pub const EXPLAIN_RULE: &str = "explain_rule";
/// Lists rules.
pub const LIST_RULES: &str = "list_rules";

/// The argument of [`REVIEW_DIFF`] on a service that names the organization.
pub(crate) const ORGANIZATION: &str = "organizationId";

/// The tools of a service, with those about rules if it knows any.
pub(crate) fn of_service(review: JsonObject, knows_rules: bool) -> Vec<Tool> {
    let organization = text("The organization; not needed if the access token is bound to one");
    let mut tools = vec![review_diff((ORGANIZATION, organization), review)];
    if knows_rules {
        tools.extend([explain_rule(), list_rules()]);
    }
    tools
}

/// [`REVIEW_DIFF`], which takes one argument more, a name and its schema. `review` is the schema of a review.
#[must_use]
pub fn review_diff(more: (&str, Value), review: JsonObject) -> Tool {
    let diff = text("A unified diff, as `git diff` prints it");
    let mut properties = json!({ "diff": diff, "language": language(), "changeDescription": change_description() });
    if let Value::Object(properties) = &mut properties {
        properties.insert(more.0.to_owned(), more.1);
    }
    let what = "Finds defects in a unified diff: bugs, security flaws, leaks, lost checks. Each finding has a place, a \
                priority (P0 is the worst), what is wrong and what to do about it. The worst come first; of a large \
                result, nextCursor leads to the rest.";
    tool(REVIEW_DIFF, what, input(paged(properties), &["diff"]), review)
}

/// [`EXPLAIN_RULE`].
#[must_use]
pub fn explain_rule() -> Tool {
    let input = input(json!({ "ruleId": text("The ID, such as python/mutable-default-argument") }), &["ruleId"]);
    let what = "Says why a rule matters and what to do, with a bad and a good example.";
    tool(EXPLAIN_RULE, what, input, explained())
}

/// [`LIST_RULES`].
#[must_use]
pub fn list_rules() -> Tool {
    let categories: Vec<&str> = Category::ALL.iter().map(|category| category.as_str()).collect();
    let arguments = json!({ "language": language(), "category": { "type": "string", "enum": categories } });
    let rules = json!({
        "rules": { "type": "array", "items": object(rule(), &RULE) },
        "total": count("The rules on all pages"),
        "nextCursor": next_cursor(),
    });
    let what = "Lists the rules that reviews use, all or those of a language or a category: the most important first, \
                in pages.";
    tool(LIST_RULES, what, input(paged(arguments), &[]), object(rules, &["rules", "total"]))
}

/// The arguments of a tool whose result comes in pages.
#[must_use]
pub fn paged(mut arguments: Value) -> Value {
    let description = "The most items to return: findings and warnings, or rules";
    arguments["cursor"] = text("The nextCursor of the page before; the first page without it");
    arguments["limit"] = json!({ "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "description": description });
    arguments
}

/// The schema of a review in pages, from that of a review.
#[must_use]
pub fn paged_review(mut review: JsonObject) -> JsonObject {
    let remaining = json!({
        "findings": count("Findings"),
        "suppressedFindings": count("Suppressed findings"),
        "warnings": count("Warnings"),
        "testFiles": count("Test files"),
    });
    let mut remaining = object(remaining, &["findings", "suppressedFindings", "warnings", "testFiles"]);
    remaining.insert("description".to_owned(), "What is on later pages; missing on the last".into());
    if let Some(properties) = review.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert("nextCursor".to_owned(), next_cursor());
        properties.insert("remaining".to_owned(), Value::Object(remaining));
    }
    review
}

fn next_cursor() -> Value {
    text("The cursor of the next page, to be passed with the same arguments; missing on the last")
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

/// A tool that changes nothing.
#[must_use]
pub fn tool(name: &'static str, description: &'static str, input: JsonObject, output: JsonObject) -> Tool {
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

/// The schema of a change's description.
#[must_use]
pub fn change_description() -> Value {
    text(
        "What the change is meant to do, as data for the language model if one is configured; at most 4,000 characters",
    )
}

/// The schema of a language.
#[must_use]
pub fn language() -> Value {
    text("A GitHub Linguist name or alias; in a review it applies to files whose path does not identify their language")
}

/// The schema of a confidence.
#[must_use]
pub fn confidence() -> Value {
    json!({ "type": "number", "minimum": 0, "maximum": 1 })
}

/// The schema of a text.
#[must_use]
pub fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn object(properties: Value, required: &[&str]) -> JsonObject {
    let members = [("type", json!("object")), ("properties", properties), ("required", json!(required))];
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The schema of a tool's arguments; no others are known.
#[must_use]
pub fn input(properties: Value, required: &[&str]) -> JsonObject {
    let mut schema = object(properties, required);
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}
