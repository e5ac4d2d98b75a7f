//! The shape of a review, out of the one description that there is of it: the OpenAPI document of the HTTP API.

use rmcp::model::JsonObject;
use serde_json::{Map, Value};
use utoipa::openapi::OpenApi;

/// Where the document has its schemas, and where a schema has those that it refers to.
const COMPONENTS: &str = "#/components/schemas/";
const DEFINITIONS: &str = "#/$defs/";

/// The schema of the body of a review, complete in itself.
#[must_use]
pub fn review(document: &OpenApi) -> JsonObject {
    let document = serde_json::to_value(document).unwrap_or_default();
    let mut definitions = Map::new();
    let mut wanted = vec!["Review".to_owned()];
    while let Some(name) = wanted.pop() {
        let Some(mut schema) = document.pointer(&format!("/components/schemas/{name}")).cloned() else { continue };
        if !definitions.contains_key(&name) {
            point_inwards(&mut schema, &mut wanted);
            definitions.insert(name, schema);
        }
    }
    let Some(Value::Object(mut body)) = definitions.remove("Review") else { return Map::new() };
    body.insert("$defs".to_owned(), Value::Object(definitions));
    body
}

/// Turns references into the document into references into the schema, and collects the names that they lead to.
fn point_inwards(value: &mut Value, names: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            if let Some(name) = text.strip_prefix(COMPONENTS).map(str::to_owned) {
                *text = format!("{DEFINITIONS}{name}");
                names.push(name);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| point_inwards(item, names)),
        Value::Object(members) => members.values_mut().for_each(|member| point_inwards(member, names)),
        _ => (),
    }
}
