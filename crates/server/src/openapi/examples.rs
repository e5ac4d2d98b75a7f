//! An example of every request and response body, composed from the examples of its properties.

use serde_json::{Map, Value, json};
use utoipa::openapi::content::Content;
use utoipa::openapi::{OpenApi, PathItem, RefOr};

use super::operations;

/// Maximum nesting of an example, so that a recursive schema has one too.
const DEPTH: usize = 16;

/// Adds an example to each body without one. Refusals have the examples of their codes.
pub(super) fn add(document: &mut OpenApi) {
    let schemas = json!(document.components)["schemas"].take();
    for content in document.paths.paths.values_mut().flat_map(contents) {
        if let (None, Some(schema)) = (&content.example, &content.schema) {
            content.example = Some(Schemas(&schemas).example(&json!(schema), DEPTH));
        }
    }
}

/// The bodies of requests and of successful responses.
fn contents(item: &mut PathItem) -> impl Iterator<Item = &mut Content> {
    let operations = operations::of(item);
    operations.flat_map(|operation| {
        let request = operation
            .request_body
            .iter_mut()
            .filter_map(inline)
            .flat_map(|body| body.content.values_mut());
        let responses = operation
            .responses
            .responses
            .iter_mut()
            .filter(|(status, _)| status.starts_with('2'));
        let responses = responses.filter_map(|(_, response)| inline(response));
        request
            .chain(responses.flat_map(|response| response.content.values_mut()))
            .filter_map(inline)
    })
}

fn inline<T>(part: &mut RefOr<T>) -> Option<&mut T> {
    match part {
        RefOr::T(part) => Some(part),
        RefOr::Ref(_) => None,
    }
}

struct Schemas<'a>(&'a Value);

impl Schemas<'_> {
    fn example(&self, schema: &Value, depth: usize) -> Value {
        if depth == 0 {
            return Value::Null;
        }
        if let Some(example) = schema.get("example").or_else(|| schema["enum"].get(0)) {
            return example.clone();
        }
        if let Some(name) = schema["$ref"]
            .as_str()
            .and_then(|reference| reference.rsplit('/').next())
        {
            return self.example(&self.0[name], depth - 1);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts = parts
                .iter()
                .filter_map(|part| self.example(part, depth - 1).as_object().cloned());
            return Value::Object(parts.flatten().collect());
        }
        if let Some(first) = schema["oneOf"].get(0) {
            return self.example(first, depth - 1);
        }
        self.by_type(schema, depth)
    }

    fn by_type(&self, schema: &Value, depth: usize) -> Value {
        let kind = schema["type"].get(0).unwrap_or(&schema["type"]);
        match kind.as_str() {
            Some("object") => {
                let properties = schema["properties"].as_object().into_iter().flatten();
                let shown = properties
                    .map(|(name, property)| (name.clone(), self.example(property, depth - 1)));
                Value::Object(shown.collect::<Map<_, _>>())
            }
            Some("array") => json!([self.example(&schema["items"], depth - 1)]),
            _ => Value::Null,
        }
    }
}
