//! Whether a value is compatible with a written type.

use crate::semantics::names;
use crate::tree::Node;

use super::classes::{family, name_here, only_class};
use super::texts::is_word;
use super::value::Value;

/// Whether a value is compatible with a written type. In doubt it is.
pub fn fits(value: Value<'_>, node: Node<'_>, kind: Node<'_>) -> bool {
    match kind.kind() {
        "optional_type" => {
            value == Value::Null
                || kind
                    .named_children()
                    .next()
                    .is_none_or(|of| fits(value, node, of))
        }
        "union_type" => kind.named_children().any(|of| fits(value, node, of)),
        "named_type" => fits_class(value, kind),
        "primitive_type" => fits_primitive(value, node, &kind.text().to_ascii_lowercase()),
        _ => true,
    }
}

fn fits_class(value: Value<'_>, kind: Node<'_>) -> bool {
    let wanted = kind.named_children().next().map_or(kind.text(), name_here);
    match value {
        Value::Object(class) => {
            class.is_empty() || wanted.is_empty() || !are_strangers(kind, class, wanted)
        }
        Value::Text
        | Value::Int
        | Value::Float
        | Value::Number
        | Value::Bool
        | Value::Null
        | Value::List => wanted.is_empty() || wanted.len() == 1,
    }
}

/// Whether both classes are visible, each defined once, and neither has an ancestor that is not visible.
fn are_strangers(at: Node<'_>, class: &str, wanted: &str) -> bool {
    let Some(mut family) = family(at, class) else {
        return false;
    };
    family.push(class);
    !family.iter().any(|name| name.eq_ignore_ascii_case(wanted)) && only_class(at, wanted).is_some()
}

/// Without `strict_types`, numbers, strings and booleans are converted into each other where possible.
fn fits_primitive(value: Value<'_>, node: Node<'_>, wanted: &str) -> bool {
    let is_strict = || names::visible_root(node).is_some_and(|top| is_strict(top.text()));
    match (wanted, value) {
        (
            "mixed" | "callable" | "iterable" | "self" | "static",
            Value::Object(_) | Value::List | Value::Text,
        ) => true,
        ("mixed", _)
        | ("object", Value::Object(_))
        | ("array", Value::List)
        | ("null" | "void", Value::Null) => true,
        (
            "int" | "float" | "string" | "bool" | "array" | "iterable" | "object" | "callable",
            Value::Null,
        ) => false,
        ("int", Value::Int) | ("float", Value::Int | Value::Float | Value::Number) => true,
        ("int", Value::Number)
        | ("string", Value::Text)
        | ("bool" | "false" | "true", Value::Bool) => true,
        ("int" | "float", Value::Text) => !is_strict() && !is_word(node),
        ("string", Value::Object(class)) => !matches!(class, "stdClass" | "Closure"),
        ("int" | "float" | "string" | "bool", Value::List) => false,
        ("int" | "float" | "bool", Value::Object(class)) => class.is_empty(),
        ("int" | "float" | "string" | "bool", _) => !is_strict(),
        (
            "array" | "iterable" | "object" | "callable",
            Value::Int | Value::Float | Value::Number | Value::Bool,
        ) => false,
        ("array" | "object", Value::Text) | ("object", Value::List) => false,
        ("array", Value::Object(_)) => false,
        _ => true,
    }
}

fn is_strict(text: &str) -> bool {
    const HEAD: usize = 200;
    let head: String = text
        .chars()
        .take(HEAD)
        .filter(|c| !c.is_whitespace())
        .collect();
    head.contains("strict_types=1")
}
