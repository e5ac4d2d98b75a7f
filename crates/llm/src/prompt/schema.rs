//! The schemas of answers.

use std::sync::{Arc, LazyLock};

use review::{Category, Priority};
use serde_json::{Value, json};

use crate::model::Schema;

/// The answers of all turns of a conversation. It is one schema, because providers put it in front of the prompt, so that
/// another one would make their caches useless. In each item the reasons precede the conclusions.
pub(super) static REVIEW: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let kind = one_of(["read", "search", "definition", "callers"].into_iter());
    let lookups = list(&object(&[("kind", kind), ("argument", text())]));
    let [hunks, findings] = candidates();
    let [kept, dropped] = decisions();
    let json = object(&[
        ("hunks", hunks),
        ("findings", findings),
        ("lookups", lookups),
        ("kept", kept),
        ("dropped", dropped),
    ]);
    Arc::new(Schema {
        name: "review",
        json,
    })
});

/// The lists of candidates that are kept and dropped.
fn decisions() -> [Value; 2] {
    let kept = object(&[
        ("candidate", text()),
        ("evidence", text()),
        ("priority", priority()),
        ("summary", text()),
        ("fix", text()),
    ]);
    let dropped = object(&[("candidate", text()), ("reason", text())]);
    [list(&kept), list(&dropped)]
}

/// The lists of hunks and of candidates.
fn candidates() -> [Value; 2] {
    let candidate = object(&[
        ("file", text()),
        ("line", text()),
        ("quote", text()),
        ("scenario", text()),
        ("depends_on", list(&text())),
        ("category", category()),
        ("priority", priority()),
        ("summary", text()),
        ("fix", text()),
    ]);
    let hunk = object(&[("file", text()), ("line", text()), ("note", text())]);
    [list(&hunk), list(&candidate)]
}

/// The answer to a plain prompt.
pub(super) static FINDINGS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let finding = object(&[
        ("file", text()),
        ("line", text()),
        ("quote", text()),
        ("priority", priority()),
        ("category", category()),
        ("summary", text()),
        ("fix", text()),
    ]);
    Arc::new(Schema {
        name: "findings",
        json: object(&[("findings", list(&finding))]),
    })
});

/// The answer to a pasted diff, with minimal properties.
pub(super) static COMMENTS: LazyLock<Arc<Schema>> = LazyLock::new(|| {
    let comment = object(&[("file", text()), ("line", integer()), ("comment", text())]);
    Arc::new(Schema {
        name: "comments",
        json: object(&[("findings", list(&comment))]),
    })
});

fn object(properties: &[(&str, Value)]) -> Value {
    let names: Vec<&str> = properties.iter().map(|(name, _)| *name).collect();
    let properties: serde_json::Map<String, Value> = properties
        .iter()
        .map(|(name, schema)| ((*name).to_owned(), schema.clone()))
        .collect();
    json!({ "type": "object", "properties": properties, "required": names, "additionalProperties": false })
}

fn list(items: &Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn text() -> Value {
    json!({ "type": "string" })
}

fn integer() -> Value {
    json!({ "type": "integer" })
}

fn priority() -> Value {
    one_of(Priority::ALL.iter().map(|priority| priority.as_str()))
}

fn category() -> Value {
    one_of(Category::ALL.iter().map(|category| category.as_str()))
}

fn one_of(words: impl Iterator<Item = &'static str>) -> Value {
    json!({ "type": "string", "enum": words.collect::<Vec<_>>() })
}
