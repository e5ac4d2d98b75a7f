//! The tools and their schemas. No tool changes anything; where a language model is configured, a review uses it.

use review::Category;
use review::repository::{MAX_CONTEXT_BYTES, MAX_CONTEXT_FILES};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::paging::MAX_LIMIT;
use crate::schema::{self, JsonObject};

/// A tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolName {
    /// Reviews a diff.
    ReviewDiff,
    /// Reviews the change in a git checkout.
    ReviewWorkingTree,
    /// Explains a rule.
    ExplainRule,
    /// Lists rules.
    ListRules,
}

impl ToolName {
    /// The name that clients use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ReviewDiff => "review_diff",
            Self::ReviewWorkingTree => "review_working_tree",
            Self::ExplainRule => "explain_rule",
            Self::ListRules => "list_rules",
        }
    }
}

impl Serialize for ToolName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// The description of a tool, as `tools/list` returns it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Tool {
    pub(crate) name: ToolName,
    description: &'static str,
    input_schema: JsonObject,
    output_schema: JsonObject,
    annotations: Value,
}

/// The argument of [`ToolName::ReviewDiff`] for the organization, on a service.
pub const ORGANIZATION: &str = "organizationId";
/// The property that [`ToolName::ReviewWorkingTree`] adds to a review.
pub const UNTRACKED: &str = "untrackedFiles";

/// The tools of a service, those about rules only if it has a rule catalog. `document` is the OpenAPI document of the
/// HTTP API.
#[must_use]
pub fn of_service(document: &impl Serialize, knows_rules: bool) -> Vec<Tool> {
    let organization = text("The organization; not needed if the access token is bound to one");
    let mut tools = vec![review_diff(
        (ORGANIZATION, organization),
        paged_review(schema::review(document)),
    )];
    if knows_rules {
        tools.extend([explain_rule(), list_rules()]);
    }
    tools
}

/// The tools of `hunkwise mcp`. `document` is the OpenAPI document of the HTTP API.
#[must_use]
pub fn of_command(document: &impl Serialize) -> Vec<Tool> {
    let review = paged_review(schema::review(document));
    let diff = review_diff(("minConfidence", confidence()), review.clone());
    vec![
        diff,
        review_working_tree(review),
        explain_rule(),
        list_rules(),
    ]
}

/// [`ToolName::ReviewDiff`] with one more argument. `review` is the schema of a page of a review.
fn review_diff((name, schema): (&str, Value), review: JsonObject) -> Tool {
    let diff = text("A unified diff, as `git diff` prints it");
    let mut properties = json!({
        "diff": diff,
        "language": language(),
        "changeDescription": change_description(),
        "contextFiles": context_files(),
    });
    properties[name] = schema;
    let what = "Finds defects in a unified diff: bugs, security flaws, leaks, lost checks. Each finding has a place, a \
                priority (P0 is the worst), what is wrong and what to do about it. The worst come first; of a large \
                result, nextCursor leads to the rest.";
    tool(
        ToolName::ReviewDiff,
        what,
        input(paged(properties), &["diff"]),
        review,
    )
}

/// [`ToolName::ReviewWorkingTree`].
fn review_working_tree(review: JsonObject) -> Tool {
    let properties = json!({
        "path": text("The folder, absolute or relative to the client's first root (default: that root)"),
        "staged": { "type": "boolean", "description": "Review only staged changes" },
        "base": text("Review all changes since the branch diverged from this revision, such as origin/main"),
        "untracked": {
            "type": "boolean",
            "default": true,
            "description": "Also review untracked files that git does not ignore (not with `staged`)",
        },
        "language": language(),
        "minConfidence": confidence(),
        "changeDescription": change_description(),
    });
    let what = "Finds defects in what changed in a git checkout: the uncommitted change by default. Call it \
                after an edit, before you say that you are done. It obeys the repository's .hunkwise.toml and rules.";
    tool(
        ToolName::ReviewWorkingTree,
        what,
        input(paged(properties), &[]),
        with_untracked_files(review),
    )
}

fn with_untracked_files(mut review: JsonObject) -> JsonObject {
    let untracked = json!({
        "type": "integer",
        "minimum": 0,
        "description": "The number of untracked files that were not reviewed because of `untracked: false`.",
    });
    add_property(&mut review, UNTRACKED, untracked);
    if let Some(required) = review.get_mut("required").and_then(Value::as_array_mut) {
        required.push(UNTRACKED.into());
    }
    review
}

/// [`ToolName::ExplainRule`].
fn explain_rule() -> Tool {
    let input = input(
        json!({ "ruleId": text("The ID, such as python/mutable-default-argument") }),
        &["ruleId"],
    );
    let what =
        "Explains why a rule matters and how to fix its findings, with a bad and a good example.";
    tool(ToolName::ExplainRule, what, input, explained())
}

/// [`ToolName::ListRules`].
fn list_rules() -> Tool {
    let categories: Vec<&str> = Category::ALL
        .iter()
        .map(|category| category.as_str())
        .collect();
    let arguments =
        json!({ "language": language(), "category": { "type": "string", "enum": categories } });
    let rules = json!({
        "rules": { "type": "array", "items": object(rule(), &RULE) },
        "total": count("The number of rules on all pages"),
        "nextCursor": next_cursor(),
    });
    let what = "Lists the rules that reviews use, all or those of a language or a category: the most important first, \
                in pages.";
    tool(
        ToolName::ListRules,
        what,
        input(paged(arguments), &[]),
        object(rules, &["rules", "total"]),
    )
}

/// The arguments of a paginated tool.
fn paged(mut arguments: Value) -> Value {
    let description = "Maximum number of items to return: findings and warnings, or rules";
    arguments["cursor"] = text("The nextCursor of the previous page (default: first page)");
    arguments["limit"] = json!({ "type": "integer", "minimum": 1, "maximum": MAX_LIMIT, "description": description });
    arguments
}

/// The schema of a paginated review, derived from that of a review.
fn paged_review(mut review: JsonObject) -> JsonObject {
    let remaining = json!({
        "findings": count("Findings"),
        "suppressedFindings": count("Suppressed findings"),
        "warnings": count("Warnings"),
        "testFiles": count("Test files"),
    });
    let mut remaining = object(
        remaining,
        &["findings", "suppressedFindings", "warnings", "testFiles"],
    );
    remaining.insert(
        "description".to_owned(),
        "The items on later pages; absent on the last page".into(),
    );
    add_property(&mut review, "nextCursor", next_cursor());
    add_property(&mut review, "remaining", Value::Object(remaining));
    review
}

fn add_property(schema: &mut JsonObject, name: &str, property: Value) {
    if let Some(properties) = schema.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(name.to_owned(), property);
    }
}

fn next_cursor() -> Value {
    text(
        "The cursor of the next page, to be passed with the same arguments; absent on the last page",
    )
}

fn count(description: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": description })
}

/// A read-only tool.
fn tool(
    name: ToolName,
    description: &'static str,
    input_schema: JsonObject,
    output_schema: JsonObject,
) -> Tool {
    let annotations =
        json!({ "readOnlyHint": true, "idempotentHint": true, "openWorldHint": false });
    Tool {
        name,
        description,
        input_schema,
        output_schema,
        annotations,
    }
}

/// The properties that every rule has.
const RULE: [&str; 5] = ["ruleId", "title", "priority", "category", "languages"];

fn rule() -> Value {
    json!({
        "ruleId": text("folder/name-of-the-pattern"),
        "title": text("The defect that it finds"),
        "priority": text("P0 to P3"),
        "category": text("The kind of defect"),
        "languages": texts("Linguist names; empty for all languages"),
    })
}

fn explained() -> JsonObject {
    let mut properties = rule();
    let more = json!({
        "confidence": confidence(),
        "why": text("Why the defect matters"),
        "suggestedFix": text("How to fix it"),
        "badExample": text("A change that has the defect"),
        "goodExample": text("A change without the defect"),
        "references": texts("Descriptions of the defect"),
    });
    if let (Value::Object(properties), Value::Object(more)) = (&mut properties, more) {
        properties.extend(more);
    }
    object(
        properties,
        &[
            RULE.as_slice(),
            &[
                "confidence", "why", "suggestedFix", "badExample", "goodExample",
            ],
        ]
        .concat(),
    )
}

/// The schema of a change description.
fn change_description() -> Value {
    text(
        "The purpose of the change, as data for the language model if one is configured; at most 4,000 characters",
    )
}

/// The schema of context files.
fn context_files() -> Value {
    let mut file = object(
        json!({
            "path": text("The path from the top of the repository, without `.`, `..` and backslashes; not of a file of the diff"),
            "content": text("The whole text"),
        }),
        &["path", "content"],
    );
    file.insert("additionalProperties".to_owned(), false.into());
    let description = format!(
        "Other files of the repository after the change, such as those that define what it calls: a language model, if one is \
         configured, may read them; at most {MAX_CONTEXT_FILES}, and {} MiB of paths and contents together",
        MAX_CONTEXT_BYTES >> 20
    );
    json!({ "type": "array", "maxItems": MAX_CONTEXT_FILES, "items": file, "description": description })
}

/// The schema of a language.
fn language() -> Value {
    text(
        "A GitHub Linguist name or alias; in a review it applies to files whose path does not identify their language",
    )
}

/// The schema of a confidence.
fn confidence() -> Value {
    json!({ "type": "number", "minimum": 0, "maximum": 1 })
}

/// The schema of a string.
fn text(description: &str) -> Value {
    json!({ "type": "string", "description": description })
}

fn texts(description: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": description })
}

fn object(properties: Value, required: &[&str]) -> JsonObject {
    let members = [
        ("type", json!("object")),
        ("properties", properties),
        ("required", json!(required)),
    ];
    members
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// The schema of a tool's arguments, without additional properties.
fn input(properties: Value, required: &[&str]) -> JsonObject {
    let mut schema = object(properties, required);
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}
