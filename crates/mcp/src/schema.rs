//! The schema of a review, taken from the OpenAPI document of the HTTP API, so that it is described only once.

use serde::Serialize;
use serde_json::{Map, Value};

/// The location of shared schemas in an OpenAPI document, and in a self-contained schema.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

pub(crate) type JsonObject = Map<String, Value>;

/// The schema of a review's body, without references to other documents.
pub(crate) fn review(document: &impl Serialize) -> JsonObject {
    let document = serde_json::to_value(document).unwrap_or_default();
    let mut definitions = Map::new();
    let mut wanted = vec!["Review".to_owned()];
    while let Some(name) = wanted.pop() {
        let Some(mut schema) = document
            .pointer(&format!("/components/schemas/{name}"))
            .cloned()
        else {
            continue;
        };
        if !definitions.contains_key(&name) {
            point_inwards(&mut schema, &mut wanted);
            definitions.insert(name, schema);
        }
    }
    let Some(Value::Object(mut body)) = definitions.remove("Review") else {
        return Map::new();
    };
    body.insert("$defs".to_owned(), Value::Object(definitions));
    body
}

/// Rewrites references into the document as references into the schema, and collects the names of the referenced
/// schemas.
fn point_inwards(value: &mut Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix(COMPONENTS).map(str::to_owned) {
                *text = format!("{DEFINITIONS}{name}");
                names.push(name);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_inwards(item, names)),
        Value::Object(members) => members
            .values_mut()
            .for_each(|member| point_inwards(member, names)),
        _ => (),
    }
}
