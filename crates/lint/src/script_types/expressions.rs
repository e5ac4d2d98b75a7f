//! The type of an expression, from what kind of expression it is.

use crate::grammar::Role;
use crate::node::Node;

use super::Type;
use super::calls::called;
use super::declarations::{declaration, declared};
use super::members::member;
use super::written::{generic, library, made, named};

pub(super) fn read<'t>(node: Node<'t>, depth: u32) -> Vec<Type<'t>> {
    if depth == 0 || !node.is_usable() {
        return vec![Type::Unknown];
    }
    let only = |found: Type<'t>| vec![found];
    let first = || node.named_children().next();
    let inner = |of: Option<Node<'t>>| of.map_or_else(|| vec![Type::Unknown], |of| read(of, depth - 1));
    match node.kind() {
        "type_annotation"
        | "parenthesized_type"
        | "readonly_type"
        | "constraint"
        | "parenthesized_expression"
        | "satisfies_expression"
        | "non_null_expression" => {
            let mut found = inner(first());
            if node.is(&["non_null_expression"]) {
                found.retain(|one| *one != Type::Null);
            }
            found
        }
        "as_expression" => inner(node.named_children().last()),
        "predefined_type" => only(match node.text() {
            "string" => Type::Text,
            "number" => Type::Number,
            "boolean" => Type::Bool,
            "void" => Type::Void,
            "any" => Type::Any,
            "object" => Type::Object(None),
            _ => Type::Unknown,
        }),
        "literal_type" => inner(first()),
        "union_type" | "intersection_type" => node.named_children().flat_map(|part| read(part, depth - 1)).collect(),
        "array_type" | "tuple_type" => only(Type::Array(first())),
        "function_type" => only(Type::Function(node)),
        "object_type" | "object" => only(Type::Object(Some(node))),
        "template_literal_type" | "string" | "template_string" => only(Type::Text),
        "generic_type" => generic(node, depth),
        "type_identifier" => named(node, node.text(), depth),
        "number" => only(Type::Number),
        "true" | "false" => only(Type::Bool),
        "null" | "undefined" => only(Type::Null),
        "array" => only(Type::Array(first())),
        "arrow_function"
        | "function_expression"
        | "generator_function"
        | "function_declaration"
        | "generator_function_declaration"
        | "function_signature"
        | "method_definition"
        | "method_signature" => only(Type::Function(node)),
        "class" | "class_declaration" | "abstract_class_declaration" => only(Type::Class(node)),
        "regex" => only(Type::Instance(None)),
        "this" => {
            let class = node.ancestors().find(|around| around.has_role(Role::Class));
            only(class.map_or(Type::Unknown, |class| Type::Instance(Some(class))))
        }
        "new_expression" => {
            let Some(constructor) = node.field("constructor") else { return only(Type::Unknown) };
            let known = library(constructor.text(), None);
            known.map_or_else(|| made(constructor, depth), only)
        }
        "ternary_expression" => {
            [node.field("consequence"), node.field("alternative")].into_iter().flat_map(inner).collect()
        }
        "binary_expression" => operation(node, depth),
        "unary_expression" => only(match node.children().next().map(Node::text) {
            Some("!" | "delete") => Type::Bool,
            Some("-" | "+" | "~") => Type::Number,
            Some("typeof") => Type::Text,
            Some("void") => Type::Null,
            _ => Type::Unknown,
        }),
        "update_expression" => only(Type::Number),
        "sequence_expression" => inner(node.named_children().last()),
        "assignment_expression" => inner(node.field("right")),
        "await_expression" => {
            let awaited = inner(first()).into_iter().flat_map(|one| match one {
                Type::Promise(Some(of)) => read(of, depth - 1),
                Type::Promise(None) => vec![Type::Unknown],
                other => vec![other],
            });
            awaited.collect()
        }
        "call_expression" => called(node, depth),
        "member_expression" | "subscript_expression" => member(node, depth),
        "identifier" => declared(node).map_or_else(|| vec![Type::Unknown], |at| declaration(at, depth)),
        _ => vec![Type::Unknown],
    }
}

fn operation(node: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else { return vec![Type::Unknown] };
    match node.field("operator").map_or("", |operator| operator.text()) {
        "==" | "===" | "!=" | "!==" | "<" | ">" | "<=" | ">=" | "in" | "instanceof" => vec![Type::Bool],
        "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => vec![Type::Number],
        "+" => {
            let (first, second) = (read(left, depth - 1), read(right, depth - 1));
            let all = |wanted: Type<'_>| first.iter().all(|one| *one == wanted);
            if all(Type::Text) || second.iter().all(|one| *one == Type::Text) {
                vec![Type::Text]
            } else if all(Type::Number) && second.iter().all(|one| *one == Type::Number) {
                vec![Type::Number]
            } else {
                vec![Type::Unknown]
            }
        }
        "||" | "??" => {
            let mut all = read(left, depth - 1);
            all.retain(|one| *one != Type::Null);
            all.extend(read(right, depth - 1));
            all
        }
        "&&" => read(right, depth - 1),
        _ => vec![Type::Unknown],
    }
}
