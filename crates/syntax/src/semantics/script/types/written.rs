//! The type that a written type name refers to: of the library, or of the file.

use crate::semantics::names::visible_root;
use crate::tree::Node;

use super::inference::Inference;
use super::kind::Type;

/// A well-known type or class.
pub(super) fn library<'t>(name: &str, of: Option<Node<'t>>) -> Option<Type<'t>> {
    Some(match name {
        "Array" | "ReadonlyArray" => Type::Array(of),
        "Promise" | "PromiseLike" => Type::Promise(of),
        "Map" | "Set" | "WeakMap" | "WeakSet" | "ReadonlyMap" | "ReadonlySet" => Type::Collection,
        "Iterable" | "Iterator" | "IterableIterator" | "Generator" | "AsyncIterable"
        | "AsyncGenerator" => Type::Iterable,
        "Date" | "RegExp" | "URL" | "WeakRef" | "AbortController" | "Buffer" | "ArrayBuffer" => {
            Type::Instance(None)
        }
        "Error" | "TypeError" | "RangeError" | "SyntaxError" | "ReferenceError" | "EvalError"
        | "URIError" | "AggregateError" | "DOMException" => Type::Error,
        "Record" => Type::Object(None),
        _ => return None,
    })
}

impl Inference {
    pub(super) fn generic(self, node: Node<'_>) -> Vec<Type<'_>> {
        let name = node.field("name").map_or("", |name| name.text());
        let of = node
            .field("type_arguments")
            .and_then(|list| list.named_children().next());
        if let Some(found) = library(name, of) {
            return vec![found];
        }
        if matches!(name, "Readonly" | "NonNullable") {
            return of.map_or_else(|| vec![Type::Unknown], |of| self.deeper().read(of));
        }
        self.named(node, name)
    }
}

impl Inference {
    /// The type of a name that is declared in the file.
    pub(super) fn named<'t>(self, node: Node<'t>, name: &str) -> Vec<Type<'t>> {
        const DECLARE: &[&str] = &[
            "class_declaration", "abstract_class_declaration", "interface_declaration",
            "type_alias_declaration", "enum_declaration", "type_parameter",
        ];
        let Some(top) = visible_root(node) else {
            return vec![Type::Unknown];
        };
        let is_it = |other: &Node<'_>| {
            other.is(DECLARE) && other.field("name").is_some_and(|own| own.text() == name)
        };
        let Some(found) = top.descendants().find(is_it) else {
            return vec![library(name, None).unwrap_or(Type::Unknown)];
        };
        match found.kind() {
            "class_declaration" | "abstract_class_declaration" => vec![instance_of(found)],
            "interface_declaration" => vec![interface(found)],
            "type_alias_declaration" => found
                .field("value")
                .map_or_else(Vec::new, |value| self.deeper().read(value)),
            "type_parameter" => found
                .field("constraint")
                .map_or_else(|| vec![Type::Unknown], |bound| self.deeper().read(bound)),
            _ => vec![Type::Unknown],
        }
    }
}

/// An object of a class, or something else depending on what the class inherits from.
fn instance_of(class: Node<'_>) -> Type<'_> {
    let heritage = class
        .child_of_kind(&["class_heritage"])
        .map_or("", |heritage| heritage.text());
    if heritage.contains("extends Promise") {
        Type::Promise(None)
    } else if heritage.contains("Error") {
        Type::Error
    } else if heritage.contains("extends Array") {
        Type::Array(None)
    } else {
        Type::Instance(Some(class))
    }
}

fn interface(node: Node<'_>) -> Type<'_> {
    let parent = node
        .child_of_kind(&["extends_type_clause"])
        .map_or("", |parent| parent.text());
    let calls = node
        .field("body")
        .is_some_and(|body| body.child_of_kind(&["call_signature"]).is_some());
    if calls {
        Type::Unknown
    } else if parent.contains("Promise") {
        Type::Promise(None)
    } else if parent.contains("Array") {
        Type::Array(None)
    } else if parent.contains("Error") {
        Type::Error
    } else {
        Type::Object(Some(node))
    }
}

impl Inference {
    pub(super) fn made<'t>(self, constructor: Node<'t>) -> Vec<Type<'t>> {
        self.deeper()
            .read(constructor)
            .into_iter()
            .map(|found| match found {
                Type::Class(class) => instance_of(class),
                _ => Type::Unknown,
            })
            .collect()
    }
}
