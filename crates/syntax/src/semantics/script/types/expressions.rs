//! The type of an expression, by the kind of expression.

use crate::language::Role;
use crate::tree::Node;

use super::declarations::declared;
use super::inference::Inference;
use super::kind::Type;
use super::written::library;

impl Inference {
    pub(super) fn read<'t>(self, node: Node<'t>) -> Vec<Type<'t>> {
        if self.is_over() || !node.is_usable() {
            return vec![Type::Unknown];
        }
        let only = |found: Type<'t>| vec![found];
        let first = || node.named_children().next();
        let inner = |of: Option<Node<'t>>| {
            of.map_or_else(|| vec![Type::Unknown], |of| self.deeper().read(of))
        };
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
            // An unknown value may be missing, regardless of the cast.
            "as_expression" => {
                let mut found = inner(node.named_children().last());
                let before = inner(first());
                found.extend(
                    before
                        .into_iter()
                        .filter(|one| matches!(one, Type::Unknown | Type::Null)),
                );
                found
            }
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
            "union_type" | "intersection_type" => node
                .named_children()
                .flat_map(|part| self.deeper().read(part))
                .collect(),
            "array_type" | "tuple_type" => only(Type::Array(first())),
            "function_type" => only(Type::Function(node)),
            "object_type" | "object" => only(Type::Object(Some(node))),
            "template_literal_type" | "string" | "template_string" => only(Type::Text),
            "generic_type" => self.generic(node),
            "type_identifier" => self.named(node, node.text()),
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
                let Some(constructor) = node.field("constructor") else {
                    return only(Type::Unknown);
                };
                let known = library(constructor.text(), None);
                known.map_or_else(|| self.made(constructor), only)
            }
            "ternary_expression" => [node.field("consequence"), node.field("alternative")]
                .into_iter()
                .flat_map(inner)
                .collect(),
            "binary_expression" => self.operation(node),
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
                    Type::Promise(Some(of)) => self.deeper().read(of),
                    Type::Promise(None) => vec![Type::Unknown],
                    other => vec![other],
                });
                awaited.collect()
            }
            "call_expression" => self.called(node),
            "member_expression" | "subscript_expression" => self.member(node),
            "identifier" => {
                declared(node).map_or_else(|| vec![Type::Unknown], |at| self.declaration(at))
            }
            _ => vec![Type::Unknown],
        }
    }
}

impl Inference {
    fn operation(self, node: Node<'_>) -> Vec<Type<'_>> {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return vec![Type::Unknown];
        };
        match node
            .field("operator")
            .map_or("", |operator| operator.text())
        {
            "==" | "===" | "!=" | "!==" | "<" | ">" | "<=" | ">=" | "in" | "instanceof" => {
                vec![Type::Bool]
            }
            "-" | "*" | "/" | "%" | "**" | "&" | "|" | "^" | "<<" | ">>" | ">>>" => {
                vec![Type::Number]
            }
            "+" => {
                let (first, second) = (self.deeper().read(left), self.deeper().read(right));
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
                let mut all = self.deeper().read(left);
                all.retain(|one| *one != Type::Null);
                all.extend(self.deeper().read(right));
                all
            }
            "&&" => {
                // The left side is the value if it is falsy.
                let mut all = self.deeper().read(left);
                all.retain(|one| !one.is_always_true());
                all.extend(self.deeper().read(right));
                all
            }
            _ => vec![Type::Unknown],
        }
    }
}
