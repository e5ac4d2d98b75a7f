//! The kind of value of an expression, by the kind of expression.

use crate::tree::Node;

use super::classes::{name_here, own_function};
use super::mentions::Origin;
use super::origins::origin;
use super::value::Value;

pub(super) fn known(node: Node<'_>, depth: u32) -> Option<Value<'_>> {
    let depth = depth.checked_sub(1)?;
    let node = node.unparenthesised();
    Some(match node.kind() {
        "integer" => Value::Int,
        "float" => Value::Float,
        "string" | "encapsed_string" | "heredoc" | "nowdoc" => Value::Text,
        "boolean" => Value::Bool,
        "null" => Value::Null,
        "array_creation_expression" => Value::List,
        "anonymous_function" | "arrow_function" => Value::Object("Closure"),
        "object_creation_expression" => Value::Object(made_class(node)),
        "clone_expression" => return known(node.named_children().next()?, depth),
        "cast_expression" => return cast(node),
        "assignment_expression" => return known(node.field("right")?, depth),
        "variable_name" => {
            return match origin(node)? {
                Origin::Value(value) => known(value, depth),
                Origin::Type(kind) => declared(kind),
                Origin::Is(value) => Some(value),
            };
        }
        "unary_op_expression" => return unary(node, depth),
        "binary_expression" => return binary(node, depth),
        "conditional_expression" => {
            let (then, otherwise) = (node.field("body")?, node.field("alternative")?);
            let value = known(then, depth)?;
            return known(otherwise, depth).filter(|other| *other == value);
        }
        "function_call_expression" => return result(node),
        _ => return None,
    })
}

fn made_class(node: Node<'_>) -> &str {
    let name = node
        .named_children()
        .next()
        .filter(|name| name.is(&["name", "qualified_name"]));
    let last = name.map_or("", name_here);
    if matches!(last, "self" | "static" | "parent") {
        ""
    } else {
        last
    }
}

fn cast(node: Node<'_>) -> Option<Value<'_>> {
    Some(
        match node
            .field("type")?
            .text()
            .trim()
            .to_ascii_lowercase()
            .as_str()
        {
            "int" | "integer" => Value::Int,
            "float" | "double" | "real" => Value::Float,
            "string" | "binary" => Value::Text,
            "bool" | "boolean" => Value::Bool,
            "array" => Value::List,
            "object" => Value::Object(""),
            _ => return None,
        },
    )
}

fn unary(node: Node<'_>, depth: u32) -> Option<Value<'_>> {
    if node.text().starts_with('!') {
        return Some(Value::Bool);
    }
    let value = known(node.named_children().last()?, depth)?;
    match value {
        Value::Int | Value::Float | Value::Number => Some(value),
        _ => None,
    }
}

fn binary(node: Node<'_>, depth: u32) -> Option<Value<'_>> {
    let binary = node.binary()?;
    Some(match binary.operator.to_ascii_lowercase().as_str() {
        "." => Value::Text,
        "==" | "===" | "!=" | "!==" | "<>" | "<" | ">" | "<=" | ">=" | "&&" | "||" | "and"
        | "or" | "xor" | "instanceof" => Value::Bool,
        "<=>" | "%" | "<<" | ">>" => Value::Int,
        "+" | "-" | "*" | "/" | "**" => {
            match (known(binary.left, depth)?, known(binary.right, depth)?) {
                (Value::Int, Value::Int) if matches!(binary.operator, "+" | "-" | "*") => {
                    Value::Int
                }
                (Value::List, Value::List) if binary.operator == "+" => Value::List,
                (
                    Value::Int | Value::Float | Value::Number,
                    Value::Int | Value::Float | Value::Number,
                ) => Value::Number,
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// The kind that a written type allows, if there is only one.
fn declared(kind: Node<'_>) -> Option<Value<'_>> {
    let text = kind.text();
    if kind.is(&["named_type"]) {
        let last = kind.named_children().next().map_or(text, name_here);
        return Some(Value::Object(
            if matches!(last, "self" | "static" | "parent") {
                ""
            } else {
                last
            },
        ));
    }
    Some(match text.to_ascii_lowercase().as_str() {
        "int" => Value::Int,
        "float" => Value::Float,
        "string" => Value::Text,
        "bool" | "false" | "true" => Value::Bool,
        "array" => Value::List,
        "null" => Value::Null,
        _ => return None,
    })
}

/// Library functions that always return a value of one kind.
fn result(node: Node<'_>) -> Option<Value<'_>> {
    let name = node
        .field("function")
        .filter(|name| name.is(&["name", "qualified_name"]))?;
    if let Some(own) = own_function(node, name.text()) {
        return declared(own.field("return_type")?);
    }
    Some(
        match name
            .text()
            .trim_start_matches('\\')
            .to_ascii_lowercase()
            .as_str()
        {
            "count" | "strlen" | "intval" | "time" | "rand" | "mt_rand" | "ord" | "mb_strlen"
            | "strcmp" | "abs_int" => Value::Int,
            "floatval" | "sqrt" | "microtime_float" | "floor" | "ceil" | "pi" => Value::Float,
            "strval" | "sprintf" | "implode" | "trim" | "ltrim" | "rtrim" | "strtolower"
            | "strtoupper" | "ucfirst" | "md5" | "sha1" | "date" | "htmlspecialchars"
            | "str_repeat" | "number_format" | "dirname" | "basename" | "chr" | "bin2hex"
            | "serialize" | "gettype" | "uniqid" | "nl2br" | "ucwords" | "lcfirst" | "substr" => {
                Value::Text
            }
            "is_array" | "is_string" | "is_int" | "is_numeric" | "is_null" | "in_array"
            | "array_key_exists" | "is_object" | "is_callable" | "is_bool" | "method_exists"
            | "function_exists" | "class_exists" | "file_exists" | "is_file" | "is_dir"
            | "str_contains" | "boolval" => Value::Bool,
            "array_merge" | "array_keys" | "array_values" | "array_filter" | "array_map"
            | "explode" | "array_unique" | "array_slice" | "array_reverse" | "array_flip"
            | "array_diff" | "array_fill" | "range" | "compact" | "array_column" | "str_split"
            | "get_object_vars" => Value::List,
            _ => return None,
        },
    )
}
