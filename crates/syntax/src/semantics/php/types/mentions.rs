//! The effect of an occurrence of a variable on its value.

use crate::tree::Node;

use super::classes::own_function;
use super::value::{Value, plain};

/// Where the value of a variable comes from.
pub(super) enum Origin<'t> {
    Value(Node<'t>),
    Type(Node<'t>),
    Is(Value<'t>),
}

/// The effect of an occurrence of a variable on its value.
pub(super) enum Mention<'t> {
    Reads,
    Sets(Origin<'t>),
    SetsSomehow,
}

pub(super) fn mention(node: Node<'_>) -> Mention<'_> {
    let Some(parent) = node.parent() else {
        return Mention::Reads;
    };
    match parent.kind() {
        "simple_parameter" | "property_promotion_parameter" => parameter(parent),
        "variadic_parameter" => Mention::Sets(Origin::Is(Value::List)),
        "assignment_expression" if parent.field("left") == Some(node) => {
            parent.field("right").map_or(Mention::SetsSomehow, |right| {
                Mention::Sets(Origin::Value(right))
            })
        }
        "augmented_assignment_expression" if parent.field("left") == Some(node) => {
            match parent.field("operator").map(Node::text) {
                Some(".=") => Mention::Sets(Origin::Is(Value::Text)),
                _ => Mention::SetsSomehow,
            }
        }
        "subscript_expression" if parent.named_children().next() == Some(node) => element(parent),
        "catch_clause" => Mention::Sets(Origin::Is(Value::Object(""))),
        "argument" => argument(parent),
        "member_access_expression"
        | "nullsafe_member_access_expression"
        | "member_call_expression"
        | "nullsafe_member_call_expression"
        | "binary_expression"
        | "unary_op_expression"
        | "return_statement"
        | "echo_statement"
        | "parenthesized_expression"
        | "cast_expression"
        | "encapsed_string"
        | "conditional_expression"
        | "assignment_expression"
        | "expression_statement"
        | "throw_expression"
        | "object_creation_expression"
        | "scoped_call_expression"
        | "class_constant_access_expression"
        | "augmented_assignment_expression"
        | "clone_expression"
        | "print_intrinsic"
        | "arrow_function"
        | "anonymous_function_use_clause"
        | "heredoc_body"
        | "variadic_unpacking"
        | "switch_statement"
        | "subscript_expression"
        | "match_condition_list" => Mention::Reads,
        "array_element_initializer" if !is_target(parent) => Mention::Reads,
        "foreach_statement" if parent.named_children().next() == Some(node) => Mention::Reads,
        _ => Mention::SetsSomehow,
    }
}

/// Whether the array is the left side of an assignment: `[$a, $b] = …`.
fn is_target(element: Node<'_>) -> bool {
    element.parent().is_some_and(|list| {
        list.parent().is_some_and(|around| {
            around.is(&["foreach_statement", "array_element_initializer", "pair"])
                || around.field("left") == Some(list)
        })
    })
}

fn parameter(parameter: Node<'_>) -> Mention<'_> {
    let is_nullable = parameter
        .field("default_value")
        .is_some_and(|value| value.text().eq_ignore_ascii_case("null"));
    match parameter.field("type") {
        Some(kind) if !is_nullable => Mention::Sets(Origin::Type(kind)),
        _ => Mention::SetsSomehow,
    }
}

/// `$a[…]`: assigning an element creates an array from null, and an array stays one.
fn element(index: Node<'_>) -> Mention<'_> {
    let mut inner = index;
    for around in index.ancestors().take(4) {
        if around.is(&["subscript_expression"]) && around.named_children().next() == Some(inner) {
            inner = around;
            continue;
        }
        if around.is(&[
            "assignment_expression", "augmented_assignment_expression", "update_expression",
        ]) {
            let is_set = around.field("left") == Some(inner) || around.is(&["update_expression"]);
            return if is_set {
                Mention::SetsSomehow
            } else {
                Mention::Reads
            };
        }
        if around.is(&["argument"]) {
            return argument(around);
        }
        let writes = around.is(&[
            "by_ref", "foreach_statement", "unset_statement", "reference_assignment_expression",
        ]);
        return if writes {
            Mention::SetsSomehow
        } else {
            Mention::Reads
        };
    }
    Mention::SetsSomehow
}

/// A function may take its argument by reference. Those that certainly do not only read it.
fn argument(argument: Node<'_>) -> Mention<'static> {
    let Some(call) = argument.ancestors().nth(1) else {
        return Mention::SetsSomehow;
    };
    if call.is(&["object_creation_expression"]) {
        return Mention::Reads;
    }
    let Some(name) = call.field("function") else {
        return Mention::SetsSomehow;
    };
    if reads_only(&plain(name.text())) {
        return Mention::Reads;
    }
    let by_value = |own: Node<'_>| {
        own.field("parameters")
            .is_some_and(|list| !list.text().contains('&'))
    };
    match own_function(call, name.text()) {
        Some(own) if by_value(own) => Mention::Reads,
        _ => Mention::SetsSomehow,
    }
}

/// Whether a library function certainly changes none of its arguments. `str_replace` sets its fourth, `is_callable` its
/// third.
pub(crate) fn reads_only(function: &str) -> bool {
    const READ_ONLY: &[&str] = &[
        "count", "strlen", "trim", "implode", "explode", "array_merge", "array_map", "array_keys",
        "array_values", "sprintf", "printf", "json_encode", "in_array", "substr", "strtolower",
        "strtoupper", "var_dump", "print_r", "is_array", "is_string", "is_null", "is_int",
        "is_object", "is_bool", "is_numeric", "is_float", "array_key_exists", "intval",
        "htmlspecialchars", "strpos", "md5", "sha1", "file_get_contents", "var_export",
        "is_subclass_of", "is_a", "method_exists", "get_class", "gettype", "array_is_list",
        "asserttype", "dumptype", "array_filter", "array_diff", "range", "max", "min",
        "number_format", "ucfirst", "str_repeat", "strval",
    ];
    READ_ONLY.contains(&function)
}
