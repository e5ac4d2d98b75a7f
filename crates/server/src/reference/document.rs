//! The OpenAPI document, as far as the pages use it.

use serde_json::Value;

const METHODS: [&str; 5] = ["get", "post", "put", "patch", "delete"];

/// An OpenAPI document.
#[derive(Clone, Copy)]
pub(super) struct Document<'a>(pub(super) &'a Value);

/// One operation.
#[derive(Clone, Copy)]
pub(super) struct Operation<'a> {
    pub(super) method: &'static str,
    pub(super) path: &'a str,
    pub(super) value: &'a Value,
}

impl<'a> Document<'a> {
    /// All operations, in the order of their paths.
    pub(super) fn operations(self) -> impl Iterator<Item = Operation<'a>> {
        entries(&self.0["paths"]).flat_map(|(path, item)| {
            METHODS.iter().filter_map(move |method| {
                Some(Operation {
                    method,
                    path,
                    value: item.get(method)?,
                })
            })
        })
    }

    /// The operations of a resource.
    pub(super) fn operations_of(self, tag: &'a Value) -> impl Iterator<Item = Operation<'a>> {
        self.operations()
            .filter(|operation| list(&operation.value["tags"]).contains(&tag["name"]))
    }

    /// The named schema that a schema refers to, or the schema itself.
    pub(super) fn resolve(self, schema: &'a Value) -> &'a Value {
        name_of(schema).map_or(schema, |name| self.schema(name))
    }

    pub(super) fn schema(self, name: &str) -> &'a Value {
        &self.0["components"]["schemas"][name]
    }
}

impl<'a> Operation<'a> {
    pub(super) fn id(self) -> &'a str {
        text(&self.value["operationId"])
    }

    pub(super) fn title(self) -> &'a str {
        text(&self.value["summary"])
    }

    /// The path of its page.
    pub(super) fn page(self) -> String {
        let tag = self.value["tags"].get(0).map_or("", text);
        format!("{}/{}", resource_page(tag), kebab(self.id()))
    }

    /// The scopes that it needs; `None` if it needs no token.
    pub(super) fn scopes(self) -> Option<&'a [Value]> {
        list(&self.value["security"])
            .iter()
            .find_map(|one| one.get("bearer"))
            .map(list)
    }

    /// The successful responses, by status.
    pub(super) fn successes(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        entries(&self.value["responses"]).filter(|(status, _)| status.starts_with('2'))
    }

    /// Its error codes, each with its status.
    pub(super) fn codes(self) -> impl Iterator<Item = (&'a str, &'a str)> {
        entries(&self.value["responses"]).flat_map(|(status, response)| {
            let examples = &response["content"]["application/problem+json"]["examples"];
            entries(examples).map(move |(code, _)| (status, code))
        })
    }

    pub(super) fn has_parameter(self, name: &str) -> bool {
        list(&self.value["parameters"])
            .iter()
            .any(|parameter| parameter["name"] == name)
    }
}

/// The path of a resource's page: `Pull requests (in development)` is at `/docs/api/pull-requests`.
pub(super) fn resource_page(tag: &str) -> String {
    let name = tag.split_once(" (").map_or(tag, |(name, _)| name);
    format!("/docs/api/{}", name.to_lowercase().replace(' ', "-"))
}

/// `reviewDiff` as `review-diff`.
fn kebab(id: &str) -> String {
    let mut out = String::with_capacity(id.len() + 4);
    for letter in id.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('-');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// The last segment of a reference.
pub(super) fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

pub(super) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

pub(super) fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn entries(value: &Value) -> impl Iterator<Item = (&str, &Value)> {
    value
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.as_str(), value))
}

#[cfg(test)]
mod tests {
    use super::{kebab, resource_page};

    #[test]
    fn names_become_paths() {
        assert_eq!(kebab("adminListUsers"), "admin-list-users");
        assert_eq!(resource_page("Audit events"), "/docs/api/audit-events");
        assert_eq!(
            resource_page("Pull requests (in development)"),
            "/docs/api/pull-requests"
        );
    }
}
