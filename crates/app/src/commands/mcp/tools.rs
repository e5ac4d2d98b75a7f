//! The tools that there are over stdio.

use rmcp::model::{JsonObject, Tool};
use serde_json::{Value, json};
use server::Limits;
use server::mcp::review_schema;
use server::mcp::tools::{
    change_description, confidence, explain_rule, input, language, list_rules, paged, paged_review, review_diff, text,
    tool,
};

pub(super) const REVIEW_WORKING_TREE: &str = "review_working_tree";
/// What it says beside the review.
pub(super) const UNTRACKED: &str = "untrackedFiles";

pub(super) fn all() -> Vec<Tool> {
    let review = paged_review(review_schema(&server::openapi(&Limits::default())));
    let diff = review_diff(("minConfidence", confidence()), review.clone());
    vec![diff, review_working_tree(review), explain_rule(), list_rules()]
}

fn review_working_tree(review: JsonObject) -> Tool {
    let properties = json!({
        "path": text("The folder, absolute or relative to the client's first root; that root by default"),
        "staged": { "type": "boolean", "description": "Only what is staged for the next commit" },
        "base": text("All changes since this branch left that revision, such as origin/main"),
        "language": language(),
        "minConfidence": confidence(),
        "changeDescription": change_description(),
    });
    let what = "Finds defects in what changed in a git checkout: the uncommitted change by default. Call it \
                after an edit, before you say that you are done. It obeys the repository's .hunkwise.toml and rules.";
    tool(REVIEW_WORKING_TREE, what, input(paged(properties), &[]), with_untracked_files(review))
}

fn with_untracked_files(mut review: JsonObject) -> JsonObject {
    let untracked = json!({
        "type": "integer",
        "minimum": 0,
        "description": "Untracked files; they are not part of the change.",
    });
    if let Some(properties) = review.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(UNTRACKED.to_owned(), untracked);
    }
    if let Some(required) = review.get_mut("required").and_then(Value::as_array_mut) {
        required.push(UNTRACKED.into());
    }
    review
}
