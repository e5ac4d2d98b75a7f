//! The properties of a schema: their types, constraints and nested properties.

use askama::Template;
use serde_json::Value;

use super::document::{Document, entries, list, name_of, text};
use crate::web::markdown::html;

/// Maximum nesting to show, because schemas can be recursive.
const DEPTH: usize = 6;

/// The properties of an object.
#[derive(Template, Default)]
#[template(path = "reference_fields.html")]
pub(super) struct Fields {
    pub(super) list: Vec<Field>,
}

/// A property, or a parameter.
pub(super) struct Field {
    /// Its anchor in the page.
    pub(super) id: String,
    pub(super) name: String,
    pub(super) kind: String,
    /// `required`, or why it may be absent.
    pub(super) need: &'static str,
    /// HTML.
    pub(super) about: String,
    /// Range, default and pattern.
    pub(super) facts: String,
    /// The allowed values.
    pub(super) values: Vec<String>,
    pub(super) inner: Fields,
}

impl Fields {
    /// The properties of the objects that a schema describes; `id` is the anchor of the schema.
    pub(super) fn of(
        document: Document<'_>,
        schema: &Value,
        id: &str,
        need: fn(bool) -> &'static str,
    ) -> Self {
        Builder { document, need }.fields(schema, id, DEPTH)
    }

    /// All objects, including nested ones.
    pub(super) fn flat(&self) -> Vec<&Field> {
        self.list
            .iter()
            .flat_map(|field| [vec![field], field.inner.flat()].concat())
            .collect()
    }
}

/// For optional properties of requests.
pub(super) fn of_request(required: bool) -> &'static str {
    if required { "required" } else { "optional" }
}

/// For optional properties of responses.
pub(super) fn of_answer(required: bool) -> &'static str {
    if required { "" } else { "may be absent" }
}

/// The parameters of an operation in one location: path, query or header.
pub(super) fn parameters(document: Document<'_>, operation: &Value, place: &str) -> Fields {
    let here = list(&operation["parameters"])
        .iter()
        .filter(|parameter| parameter["in"] == place);
    let builder = Builder {
        document,
        need: of_request,
    };
    let fields = here.map(|parameter| {
        let (name, schema) = (text(&parameter["name"]), &parameter["schema"]);
        let mut field = builder.field(
            name,
            schema,
            parameter["required"] == true,
            &format!("{place}.{name}"),
            1,
        );
        // A parameter is present or absent, but never null.
        field.kind = field.kind.replace(" or null", "");
        field.about = html(text(&parameter["description"]));
        field
    });
    Fields {
        list: fields.collect(),
    }
}

struct Builder<'a> {
    document: Document<'a>,
    need: fn(bool) -> &'static str,
}

impl Builder<'_> {
    fn fields(&self, schema: &Value, id: &str, depth: usize) -> Fields {
        if depth == 0 {
            return Fields::default();
        }
        if let Some(name) = name_of(schema) {
            return self.fields(self.document.schema(name), id, depth);
        }
        let parts = list(&schema["allOf"]).iter().chain(list(&schema["oneOf"]));
        let mut fields: Vec<Field> = parts
            .flat_map(|part| self.fields(part, id, depth).list)
            .collect();
        if !schema["items"].is_null() {
            fields.extend(self.fields(&schema["items"], id, depth).list);
        }
        for (name, property) in entries(&schema["properties"]) {
            let required = list(&schema["required"]).iter().any(|one| one == name);
            fields.push(self.field(name, property, required, &format!("{id}.{name}"), depth));
        }
        Fields { list: fields }
    }

    fn field(&self, name: &str, schema: &Value, required: bool, id: &str, depth: usize) -> Field {
        let about = [schema, &schema["oneOf"][0]].map(|schema| text(&schema["description"]));
        Field {
            id: id.to_owned(),
            name: name.to_owned(),
            kind: self.kind(schema),
            need: (self.need)(required),
            about: html(
                about
                    .into_iter()
                    .find(|about| !about.is_empty())
                    .unwrap_or_default(),
            ),
            facts: facts(schema),
            values: self.values(schema),
            inner: self.fields(schema, id, depth - 1),
        }
    }

    /// The type in words.
    fn kind(&self, schema: &Value) -> String {
        let resolved = self.document.resolve(schema);
        let one = |kind: &str| match (kind, resolved["format"].as_str()) {
            ("array", _) => format!("array of {}", self.kind(&resolved["items"])),
            ("string", Some(format)) => format!("string ({format})"),
            (kind, _) => kind.to_owned(),
        };
        let either: Vec<String> = match &resolved["type"] {
            Value::String(kind) => vec![one(kind)],
            Value::Array(kinds) => kinds.iter().map(|kind| one(text(kind))).collect(),
            _ => list(&resolved["oneOf"])
                .iter()
                .map(|part| self.kind(part))
                .collect(),
        };
        either.join(" or ")
    }

    fn values(&self, schema: &Value) -> Vec<String> {
        let schema = self.document.resolve(schema);
        let items = self.document.resolve(&schema["items"]);
        [schema, items]
            .into_iter()
            .flat_map(|one| list(&one["enum"]))
            .map(|value| text(value).to_owned())
            .collect()
    }
}

/// The constraints of a schema apart from the type, in words.
fn facts(schema: &Value) -> String {
    let range =
        |of: &str, least: &str, most: &str| match (shown(&schema[least]), shown(&schema[most])) {
            (Some(least), Some(most)) => Some(format!("{of}from {least} to {most}")),
            (Some(least), None) => Some(format!("{of}at least {least}")),
            (None, Some(most)) => Some(format!("{of}at most {most}")),
            (None, None) => None,
        };
    let all = [
        range("", "minimum", "maximum"),
        range("characters: ", "minLength", "maxLength"),
        range("items: ", "minItems", "maxItems"),
        schema["pattern"]
            .as_str()
            .map(|pattern| format!("matches {pattern}")),
        schema
            .get("default")
            .map(|default| format!("{default} by default")),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A bound worth showing: that a number is not negative is obvious.
fn shown(bound: &Value) -> Option<&Value> {
    Some(bound).filter(|bound| bound.is_number() && bound.as_u64() != Some(0))
}
