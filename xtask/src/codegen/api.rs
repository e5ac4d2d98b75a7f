//! docs/api.md: the OpenAPI document as Markdown, operation by operation.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value, json};

const HEAD: &str = "<!-- Made from docs/openapi.json by `cargo xtask codegen`; do not edit by hand. -->\n\n";
const METHODS: [&str; 7] = ["get", "head", "post", "put", "patch", "delete", "options"];
/// Maximum nesting of an example, because schemas can be recursive.
const DEPTH: usize = 8;

/// An OpenAPI document.
struct Document<'a>(&'a Value);

/// One operation: method, path and description.
struct Operation<'a> {
    method: &'a str,
    path: &'a str,
    value: &'a Value,
}

/// The page for an OpenAPI document.
pub(super) fn page(openapi: &Value) -> String {
    let document = Document(openapi);
    let info = &openapi["info"];
    let mut out = format!("# The HTTP API\n\n{HEAD}{}\n", text(&info["description"]).trim_end());
    out.push_str("\nThe examples take the service's address from `$BASE` and an access token from `$TOKEN`.\n");
    for tag in list(&openapi["tags"]) {
        let _ = write!(out, "\n## {}\n\n{}\n", text(&tag["name"]), text(&tag["description"]));
        for operation in document.operations().filter(|operation| operation.has(&tag["name"])) {
            document.operation(&mut out, &operation);
        }
    }
    document.errors(&mut out);
    document.schemas(&mut out);
    out
}

impl<'a> Document<'a> {
    fn operations(&self) -> impl Iterator<Item = Operation<'a>> + use<'a> {
        let paths = entries(&self.0["paths"]);
        paths.flat_map(|(path, item)| {
            let of =
                move |method: &&'static str| Some(Operation { method, path: path.as_str(), value: item.get(*method)? });
            METHODS.iter().filter_map(of).collect::<Vec<_>>()
        })
    }

    fn operation(&self, out: &mut String, operation: &Operation<'_>) {
        let Operation { method, path, value } = operation;
        let _ = write!(out, "\n### {} {path}\n\n**{}.** ", method.to_uppercase(), text(&value["summary"]));
        let _ = writeln!(out, "{}", text(&value["description"]));
        if !operation.needs_token() {
            out.push_str("\nNeeds no token.\n");
        }
        self.parameters(out, value);
        let body = &value["requestBody"]["content"]["application/json"]["schema"];
        if !body.is_null() {
            let _ = writeln!(out, "\nBody: {}", self.kind(body));
        }
        let (good, refusals): (Vec<_>, Vec<_>) =
            entries(&value["responses"]).partition(|(status, _)| status.starts_with('2'));
        for (status, response) in good {
            let _ = writeln!(out, "\nAnswers {status}. {}", self.success(response));
        }
        let refusals: Vec<_> =
            refusals.iter().map(|(status, response)| format!("{status} {}", codes(response))).collect();
        if !refusals.is_empty() {
            let _ = writeln!(out, "\nRefusals: {}.", refusals.join(" · "));
        }
        let _ = write!(out, "\n```sh\n{}\n```\n", self.curl(operation, body));
    }

    fn parameters(&self, out: &mut String, operation: &Value) {
        let parameters = list(&operation["parameters"]);
        if parameters.is_empty() {
            return;
        }
        out.push_str("\n| parameter | in | |\n|---|---|---|\n");
        for parameter in parameters {
            let needed = if parameter["required"] == true { "" } else { " (optional)" };
            let (name, place) = (text(&parameter["name"]), text(&parameter["in"]));
            let about = cell(text(&parameter["description"]));
            let _ = writeln!(out, "| `{name}`{needed} | {place} | {about}{} |", facts(&parameter["schema"]));
        }
    }

    fn success(&self, response: &Value) -> String {
        let bodies = entries(&response["content"])
            .map(|(media, content)| format!("{} (`{media}`)", self.kind(&content["schema"])));
        let bodies: Vec<_> = bodies.collect();
        let about = cell(text(&response["description"]));
        if bodies.is_empty() { about } else { format!("{about}: {}", bodies.join(", ")) }
    }

    /// The type of a schema in a word; a named schema links to its table.
    fn kind(&self, schema: &Value) -> String {
        if let Some(name) = name_of(schema) {
            return format!("[{name}](#{})", name.to_lowercase());
        }
        let either = list(&schema["oneOf"]).iter().chain(list(&schema["anyOf"])).map(|one| self.kind(one));
        let own = types(schema).into_iter().map(|kind| match kind {
            "array" => format!("list of {}", self.kind(&schema["items"])),
            other => other.to_owned(),
        });
        let words: Vec<_> = own.chain(either).collect();
        words.join(" or ")
    }

    fn curl(&self, operation: &Operation<'_>, body: &Value) -> String {
        let mut line = "curl -sS".to_owned();
        if operation.method != "get" {
            let _ = write!(line, " -X {}", operation.method.to_uppercase());
        }
        if operation.needs_token() {
            line.push_str(" -H \"Authorization: Bearer $TOKEN\"");
        }
        if !body.is_null() {
            let example = self.example(body, DEPTH).to_string().replace('\'', "'\\''");
            let _ = write!(line, " \\\n  -H 'Content-Type: application/json' -d '{example}'");
        }
        // A path parameter in braces becomes a shell variable for the reader to set.
        let path = operation.path.replace('{', "${");
        let _ = write!(line, " \\\n  \"$BASE{path}\"");
        line
    }

    /// An example of a schema's values: its own, or one composed from its parts.
    fn example(&self, schema: &Value, depth: usize) -> Value {
        if depth == 0 {
            return Value::Null;
        }
        if let Some(target) = name_of(schema).map(|name| &self.0["components"]["schemas"][name]) {
            return self.example(target, depth - 1);
        }
        if let Some(example) = schema.get("example").or_else(|| schema["enum"].get(0)) {
            return example.clone();
        }
        let one = list(&schema["oneOf"]).iter().chain(list(&schema["anyOf"])).find(|one| one["type"] != "null");
        if let Some(one) = one {
            return self.example(one, depth - 1);
        }
        match types(schema).first().copied() {
            Some("object") => {
                let shown = |(name, property): (&String, &Value)| (name.clone(), self.example(property, depth - 1));
                Value::Object(entries(&schema["properties"]).map(shown).collect::<Map<_, _>>())
            }
            Some("array") => json!([self.example(&schema["items"], depth - 1)]),
            Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or_else(|| json!(1)),
            Some("boolean") => json!(true),
            _ => json!("…"),
        }
    }

    /// Each error code once, with status and meaning.
    fn errors(&self, out: &mut String) {
        let mut found = BTreeMap::new();
        for operation in self.operations() {
            for (status, response) in entries(&operation.value["responses"]) {
                for line in text(&response["description"]).split("\n\n") {
                    if let Some((code, meaning)) = line.strip_prefix('`').and_then(|line| line.split_once("`: ")) {
                        found.insert((status.clone(), code.to_owned()), cell(meaning));
                    }
                }
            }
        }
        out.push_str("\n## Errors\n\nA refusal is a `Problem` (RFC 9457) with one of these codes.\n");
        out.push_str("\n| status | code | meaning |\n|---|---|---|\n");
        for ((status, code), meaning) in found {
            let _ = writeln!(out, "| {status} | `{code}` | {meaning} |");
        }
    }

    fn schemas(&self, out: &mut String) {
        out.push_str("\n## Bodies\n");
        for (name, schema) in entries(&self.0["components"]["schemas"]) {
            let _ = write!(out, "\n### {name}\n\n{}\n", text(&schema["description"]));
            let parts: Vec<&Value> = list(&schema["allOf"]).iter().chain([schema]).collect();
            for part in parts.iter().filter(|part| name_of(part).is_some()) {
                let _ = write!(out, "\nAll of {}, and:\n", self.kind(part));
            }
            let values: Vec<_> = list(&schema["enum"]).iter().map(|value| format!("`{}`", text(value))).collect();
            if !values.is_empty() {
                let _ = write!(out, "\nOne of {}.\n", values.join(", "));
            }
            let properties = parts.iter().flat_map(|part| {
                entries(&part["properties"]).map(|(name, property)| (name, property, needs(part, name)))
            });
            let properties: Vec<_> = properties.collect();
            if properties.is_empty() {
                continue;
            }
            out.push_str("\n| property | is | |\n|---|---|---|\n");
            for (name, property, needed) in properties {
                let about = format!("{}{}", cell(text(&property["description"])), facts(property));
                let optional = if needed { "" } else { " (optional)" };
                let _ = writeln!(out, "| `{name}`{optional} | {} | {about} |", cell(&self.kind(property)));
            }
        }
    }
}

impl Operation<'_> {
    fn has(&self, tag: &Value) -> bool {
        list(&self.value["tags"]).contains(tag)
    }

    /// An operation without security requirements inherits the document's; an empty requirement means none.
    fn needs_token(&self) -> bool {
        let own = self.value.get("security").map(list);
        own.is_none_or(|own| own.iter().any(|one| one.as_object().is_some_and(|one| !one.is_empty())))
    }
}

/// The error codes of an operation; the page has one table with their meanings.
fn codes(response: &Value) -> String {
    let description = text(&response["description"]);
    let codes: Vec<_> = description
        .split("\n\n")
        .filter_map(|line| line.split_once("`: "))
        .map(|(code, _)| format!("{code}`"))
        .collect();
    if codes.is_empty() { cell(description) } else { codes.join(", ") }
}

/// A schema's constraints besides the type.
fn facts(schema: &Value) -> String {
    const FACTS: [(&str, &str); 7] = [
        ("minimum", "at least"),
        ("maximum", "at most"),
        ("minLength", "characters at least"),
        ("maxLength", "characters at most"),
        ("minItems", "items at least"),
        ("maxItems", "items at most"),
        ("default", "default"),
    ];
    let said: Vec<_> = FACTS
        .into_iter()
        .filter(|(name, _)| schema.get(name).is_some_and(|value| *value != 0 && !value.is_null()))
        .map(|(name, words)| format!("{words} {}", schema[name]))
        .collect();
    if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) }
}

/// The last segment of a reference, which may be in an `allOf` because of a description.
fn name_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.rsplit('/').next()
}

fn needs(schema: &Value, property: &str) -> bool {
    list(&schema["required"]).iter().any(|name| name == property)
}

fn types(schema: &Value) -> Vec<&str> {
    match &schema["type"] {
        Value::String(one) => vec![one],
        Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Text on one line, for a table cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::{Document, page};

    fn openapi() -> Value {
        let file = crate::run::root().join("docs/openapi.json");
        serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap()
    }

    #[test]
    fn the_page_is_up_to_date() {
        let kept = std::fs::read_to_string(crate::run::root().join("docs/api.md")).unwrap();
        assert!(kept == page(&openapi()), "run cargo xtask codegen");
    }

    #[test]
    fn every_operation_occurs_once_and_every_link_has_a_target() {
        let (openapi, page) = (openapi(), page(&openapi()));
        let operations: Vec<_> = Document(&openapi).operations().collect();
        assert!(operations.len() > 20);
        for operation in operations {
            let heading = format!("\n### {} {}\n", operation.method.to_uppercase(), operation.path);
            assert_eq!(page.matches(&heading).count(), 1, "{heading}");
        }
        let headings: Vec<_> =
            page.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_lowercase).collect();
        for link in page.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(headings.iter().any(|heading| heading == link), "{link}");
        }
    }
}
