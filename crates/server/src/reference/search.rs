//! The search index: operations, fields, error codes and guides, as JSON for the pages' script.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::document::{Document, Operation, entries, text};
use super::operation::{inputs, properties};
use super::site::GUIDES;
use crate::web::assets::hashed_path;

/// The index, and its path.
pub(super) struct Index {
    pub(super) path: String,
    pub(super) json: String,
}

impl Index {
    pub(super) fn of(document: Document<'_>) -> Self {
        let guides = GUIDES
            .iter()
            .map(|(page, title)| entry("guide", title, "", page));
        let codes = entries(&document.0["components"]["examples"]).map(|(code, example)| {
            entry(
                "error",
                code,
                text(&example["summary"]),
                &format!("/docs/errors#{code}"),
            )
        });
        let operations = document.operations().map(|operation| {
            let address = format!("{} {}", operation.method.to_uppercase(), operation.path);
            entry("operation", operation.title(), &address, &operation.page())
        });
        let all = operations
            .chain(codes)
            .chain(guides)
            .chain(fields(document));
        let json = Value::Array(all.collect()).to_string();
        Self {
            path: hashed_path("/docs/", "search.json", &json),
            json,
        }
    }
}

fn entry(kind: &str, title: &str, about: &str, page: &str) -> Value {
    json!([kind, title, about, page])
}

/// Every field once, linked to the first operation that has it.
fn fields(document: Document<'_>) -> impl Iterator<Item = Value> {
    let mut known = BTreeSet::new();
    let all = document
        .operations()
        .flat_map(move |operation| fields_of(document, operation));
    all.filter(move |(name, about, _)| known.insert((name.clone(), about.clone())))
        .map(|(.., entry)| entry)
}

/// The name and description of each field of an operation, and its entry.
fn fields_of(document: Document<'_>, operation: Operation<'_>) -> Vec<(String, String, Value)> {
    let inputs = inputs(document, operation)
        .into_iter()
        .map(|(_, fields)| fields);
    let outputs = operation
        .successes()
        .map(|(_, response)| properties(document, response));
    let all: Vec<_> = inputs.chain(outputs).collect();
    let all = all.iter().flat_map(|fields| fields.flat()).map(|field| {
        let page = format!("{}#{}", operation.page(), field.id);
        (
            field.name.clone(),
            field.about.clone(),
            entry("field", &field.name, operation.title(), &page),
        )
    });
    all.collect()
}
