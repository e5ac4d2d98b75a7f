//! The configuration file as a JSON Schema, for editors that complete and check TOML.

use serde_json::{Map, Value as Json, json};

use super::field::{Default as Preset, Field, Kind, Plain};
use super::list::SECTIONS;
use super::section::{Presence, Section};

/// Draft 7, which every TOML language server reads.
pub const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The schema of the file that `--config` names.
pub fn schema() -> Json {
    let mut root = json!({
        "$schema": DRAFT,
        "title": "Settings of Hunkwise",
        "type": "object",
        "properties": {},
        "additionalProperties": false,
    });
    for section in SECTIONS {
        place(&mut root, section);
    }
    root
}

/// Inserts the table of a section at its path. Parents come before their children in the list of sections.
fn place(root: &mut Json, section: &Section) {
    let table = table(section);
    let Some((parents, name)) = split(section.path) else {
        merge(root, table);
        return;
    };
    let parent = parents
        .iter()
        .fold(root, |table, parent| &mut table["properties"][*parent]);
    let is_list = section.presence == Presence::List;
    parent["properties"][name] = if is_list {
        json!({ "type": "array", "minItems": 1, "items": table })
    } else {
        table
    };
    if is_list {
        // The parent is useful only with the list.
        parent["required"] = json!([name]);
    }
}

fn split(path: &str) -> Option<(Vec<&str>, &str)> {
    let mut parts: Vec<&str> = path.split('.').filter(|part| !part.is_empty()).collect();
    let name = parts.pop()?;
    Some((parts, name))
}

fn merge(root: &mut Json, mut table: Json) {
    root["properties"] = table["properties"].take();
}

fn table(section: &Section) -> Json {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in section.fields {
        properties.insert(field.name.to_owned(), property(field));
        if field.secret {
            let description = format!("A file with `{}`.", field.name);
            properties.insert(
                format!("{}_file", field.name),
                json!({ "type": "string", "description": description }),
            );
        }
        if field.default == Preset::Required {
            required.push(field.name);
        }
    }
    let mut table = json!({
        "type": "object",
        "description": section.about.trim(),
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        table["required"] = json!(required);
    }
    table
}

fn property(field: &Field) -> Json {
    let mut property = of_kind(field.kind);
    property["description"] = json!(format!(
        "{} Expected: {}.",
        field.about.trim(),
        field.kind.expectation()
    ));
    if let Some(value) = field.default_value() {
        property["default"] = value.into();
    }
    property
}

fn of_kind(kind: Kind) -> Json {
    match kind {
        Kind::Integer {
            least,
            most: u64::MAX,
        } => json!({ "type": "integer", "minimum": least }),
        Kind::Integer { least, most } => {
            json!({ "type": "integer", "minimum": least, "maximum": most })
        }
        Kind::Number {
            least,
            most: f64::INFINITY,
        } => json!({ "type": "number", "minimum": least }),
        Kind::Number { least, most } => {
            json!({ "type": "number", "minimum": least, "maximum": most })
        }
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Choice(words) => json!({ "type": "string", "enum": words }),
        Kind::Table => json!({ "type": "object" }),
        Kind::Command => json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        Kind::Networks | Kind::Origins => json!({ "type": "array", "items": { "type": "string" } }),
        _ => json!({ "type": "string", "pattern": pattern(kind) }),
    }
}

/// The pattern for texts of this kind. The loader checks more than that, such as the validity of addresses.
fn pattern(kind: Kind) -> String {
    match kind {
        Kind::Address => r"^\S+:[0-9]{1,5}$".to_owned(),
        Kind::AddressOrOff => r"^(off|\S+:[0-9]{1,5})$".to_owned(),
        Kind::Database => r"^(sqlite|postgres|postgresql)://.".to_owned(),
        Kind::Url {
            plain: Plain::Anywhere | Plain::LoopbackOnly,
        }
        | Kind::Proxy
        | Kind::Callback => r"^[Hh][Tt][Tt][Pp][Ss]?://.".to_owned(),
        Kind::HttpsOrigin => "^https://[^/]+$".to_owned(),
        Kind::Words(words) => format!(r"^\s*(({words})(\s+|$))*$", words = words.join("|")),
        _ => r"\S".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use regex::Regex;
    use serde_json::Value as Json;

    use super::super::field::Kind;
    use super::super::list::SECTIONS;
    use super::super::value::Raw;
    use super::{pattern, schema};

    /// The property of a setting.
    fn property<'s>(schema: &'s Json, path: &str, name: &str) -> &'s Json {
        let mut table = schema;
        for part in path.split('.').filter(|part| !part.is_empty()) {
            table = &table["properties"][part];
            table = table.get("items").unwrap_or(table);
        }
        &table["properties"][name]
    }

    #[test]
    fn the_schema_has_every_setting_with_its_type_and_default() {
        let schema = schema();
        for section in SECTIONS {
            for field in section.fields {
                let property = property(&schema, section.path, field.name);
                assert!(
                    property["type"].is_string(),
                    "{}.{}",
                    section.path,
                    field.name
                );
                let default = field.default_value().map(Json::from);
                assert_eq!(
                    property.get("default"),
                    default.as_ref(),
                    "{}.{}",
                    section.path,
                    field.name
                );
            }
        }
    }

    #[test]
    fn unknown_properties_are_rejected_in_every_table() {
        fn check(table: &Json) {
            assert_eq!(table["additionalProperties"], false, "{table:#}");
            for property in table["properties"].as_object().unwrap().values() {
                let inner = property.get("items").unwrap_or(property);
                // A table of any values is not a section.
                if inner.get("properties").is_some() {
                    check(inner);
                }
            }
        }
        let schema = schema();
        check(&schema);
        assert_eq!(property(&schema, "llm", "models")["minItems"], 1);
        assert_eq!(
            schema["properties"]["llm"]["required"],
            serde_json::json!(["models"])
        );
        assert_eq!(
            property(&schema, "llm.models", "api_key_file")["type"],
            "string"
        );
    }

    /// An editor must not report values that the service accepts.
    #[test]
    fn accepted_texts_match_the_pattern() {
        let examples = [
            "127.0.0.1:8080",
            "[::1]:80",
            "off",
            "sqlite://hunkwise.db",
            "postgresql://u@h/d",
            "http://127.0.0.1:1/v1",
            "HTTPS://id.example.com",
            "http://USER:PASSWORD@proxy.example.com:3128",
            "https://hunkwise.example.com",
            "https://hunkwise.example.com/sign-in/callback",
            "",
            " organizations:read  reviews:write ",
            "some text",
        ];
        let texts = |kind: &Kind| {
            !matches!(
                kind,
                Kind::Integer { .. } | Kind::Number { .. } | Kind::Flag | Kind::Table
            )
        };
        let mut accepted = 0;
        for field in SECTIONS
            .iter()
            .flat_map(|section| section.fields)
            .filter(|field| texts(&field.kind))
        {
            if matches!(
                field.kind,
                Kind::Choice(_) | Kind::Networks | Kind::Origins | Kind::Command
            ) {
                continue;
            }
            let pattern = Regex::new(&pattern(field.kind)).unwrap();
            for text in examples {
                if field.kind.read(&Raw::Text(text.to_owned())).is_some() {
                    accepted += 1;
                    assert!(pattern.is_match(text), "{}: {text:?}", field.name);
                }
            }
        }
        assert!(accepted > 20, "{accepted}");
    }
}
