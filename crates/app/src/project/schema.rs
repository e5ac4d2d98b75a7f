//! `.hunkwise.toml` as a JSON Schema, for editors that complete and check TOML.

use serde_json::{Map, Value, json};
use settings::SCHEMA_DRAFT;

use super::config::GUIDELINE_BYTES;

/// The schema, with the built-in rules by name.
pub(crate) fn schema() -> Value {
    let rules: Map<String, Value> = rules::built_in()
        .rules()
        .iter()
        .map(|rule| {
            (
                rule.id.clone(),
                json!({ "allOf": [{ "$ref": "#/definitions/rule" }], "description": rule.title }),
            )
        })
        .collect();
    let paths = |description: &str| json!({ "allOf": [{ "$ref": "#/definitions/paths" }], "description": description });
    json!({
        "$schema": SCHEMA_DRAFT,
        "title": "Hunkwise in this repository",
        "type": "object",
        "additionalProperties": false,
        "properties": {
            "fail_on": {
                "type": "string", "pattern": "^([Pp][0-3](:[01](\\.[0-9]+)?)?|[Nn][Ee][Vv][Ee][Rr])$", "default": "P1",
                "description": "`hunkwise review` exits with status 1 if a finding has this priority or a higher one: P0 to P3, with a confidence as in P1:0.8, or never.",
            },
            "guidelines": {
                "type": "string",
                "description": format!("Guidelines for the language model about this code base, at most {GUIDELINE_BYTES} bytes."),
            },
            "ignore": paths("Files that are not reviewed."),
            "min_confidence": {
                "type": "number", "minimum": 0, "maximum": 1, "default": 0,
                "description": "Findings below this confidence are left out.",
            },
            "paths": {
                "type": "object",
                "additionalProperties": false,
                "properties": {
                    "tests": paths("Files that are test code."),
                    "not_tests": paths("Files that are not test code, even if `tests` names them."),
                },
            },
            "rules": {
                "type": "object",
                "description": "Rules by ID; `*` matches any text, as in `python/*`.",
                "properties": rules,
                "additionalProperties": { "$ref": "#/definitions/rule" },
            },
        },
        "definitions": {
            "paths": { "type": "array", "items": { "type": "string", "minLength": 1 } },
            "priority": { "enum": ["P0", "P1", "P2", "P3"] },
            "rule": {
                "anyOf": [
                    { "enum": ["on", "off"] },
                    { "$ref": "#/definitions/priority" },
                    {
                        "type": "object",
                        "additionalProperties": false,
                        "properties": {
                            "enabled": { "type": "boolean" },
                            "priority": { "$ref": "#/definitions/priority" },
                            "paths": paths("The rule applies in these files only."),
                            "ignore": paths("The rule does not apply in these files."),
                        },
                    },
                ],
            },
        },
    })
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::config::{PATHS, RULE, TOP};
    use super::schema;

    fn names(table: &Value) -> Vec<&str> {
        let mut names: Vec<&str> = table["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn the_schema_has_all_keys_of_the_file() {
        let schema = schema();
        assert_eq!(names(&schema), TOP);
        assert_eq!(names(&schema["properties"]["paths"]), PATHS);
        assert_eq!(names(&schema["definitions"]["rule"]["anyOf"][2]), RULE);
        let rules = schema["properties"]["rules"]["properties"]
            .as_object()
            .unwrap();
        assert!(rules["any/sql-injection"]["description"].is_string());
    }
}
