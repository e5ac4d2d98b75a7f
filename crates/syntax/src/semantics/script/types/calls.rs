//! The types of calls and of the values that functions return.

use crate::language::Role;
use crate::tree::Node;

use super::inference::Inference;
use super::kind::Type;

impl Inference {
    /// The types of a call.
    pub(super) fn called(self, node: Node<'_>) -> Vec<Type<'_>> {
        let Some(callee) = node.field("function") else {
            return vec![Type::Unknown];
        };
        match callee.text() {
            "Promise.all" | "Promise.allSettled" | "Promise.race" | "Promise.any"
            | "Promise.resolve" | "Promise.reject" | "fetch" => return vec![Type::Promise(None)],
            "String" | "JSON.stringify" | "encodeURIComponent" => return vec![Type::Text],
            "Number" | "parseInt" | "parseFloat" | "Date.now" | "Math.random" | "Math.floor"
            | "Math.round" => {
                return vec![Type::Number];
            }
            "Boolean" | "Array.isArray" => return vec![Type::Bool],
            "Object.keys" | "Object.values" | "Object.entries" | "Array.from" | "Array.of" => {
                return vec![Type::Array(None)];
            }
            _ => {}
        }
        let mut found = self.deeper().read(callee);
        if found == [Type::Unknown] {
            found = callee
                .field("object")
                .map_or(found, |object| self.method_result(callee, object));
        } else {
            let is_callback = |one: Type<'_>| matches!(one, Type::Function(_) | Type::Null);
            if !found.iter().all(|one| is_callback(*one)) {
                return vec![Type::Unknown];
            }
            found = found
                .into_iter()
                .flat_map(|one| match one {
                    Type::Function(function) => self.deeper().returned(function),
                    other => vec![other],
                })
                .collect();
        }
        found
    }
}

impl Inference {
    /// The types that a method of a promise, a string or an array returns.
    fn method_result<'t>(self, callee: Node<'t>, object: Node<'t>) -> Vec<Type<'t>> {
        let name = callee.field("property").map_or("", |name| name.text());
        let of = self.deeper().read(object);
        let all = |test: fn(&Type<'_>) -> bool| !of.is_empty() && of.iter().all(test);
        let result = match name {
            "then" | "catch" | "finally"
                if of.iter().any(|one| matches!(one, Type::Promise(_))) =>
            {
                Type::Promise(None)
            }
            "trim" | "toLowerCase" | "toUpperCase" | "padStart" | "padEnd" | "repeat"
            | "substring" | "replace"
                if all(|one| *one == Type::Text) =>
            {
                Type::Text
            }
            "split" if all(|one| *one == Type::Text) => Type::Array(None),
            "map" | "filter" | "slice" | "concat" | "flatMap" | "flat"
                if all(|one| matches!(one, Type::Array(_))) =>
            {
                Type::Array(None)
            }
            "toFixed" | "toISOString" | "join" => Type::Text,
            _ => Type::Unknown,
        };
        vec![result]
    }
}

impl Inference {
    /// The types that a function returns.
    pub(super) fn returned(self, function: Node<'_>) -> Vec<Type<'_>> {
        if let Some(written) = function.field("return_type") {
            return self.read(written);
        }
        if is_async(function) {
            return vec![Type::Promise(None)];
        }
        if function.kind().contains("generator") {
            return vec![Type::Iterable];
        }
        match function.field("body") {
            Some(body) if !body.is(&["statement_block"]) => self.deeper().read(body),
            Some(body) if !gives_value(body) => vec![Type::Void],
            _ => vec![Type::Unknown],
        }
    }
}

/// Whether a function is marked as async.
pub fn is_async(function: Node<'_>) -> bool {
    function
        .children()
        .take(4)
        .any(|child| child.text() == "async" && child.is_leaf())
}

/// Whether a body returns a value, apart from inner functions.
pub fn gives_value(body: Node<'_>) -> bool {
    own_nodes(body)
        .any(|inner| inner.is(&["return_statement"]) && inner.named_children().next().is_some())
}

/// The nodes of a body without those of inner functions and classes.
fn own_nodes(body: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let mut subtree_end = 0;
    body.descendants().filter(move |node| {
        if node.index() < subtree_end {
            return false;
        }
        if node.has_role(Role::Function)
            || node.has_role(Role::Lambda)
            || node.has_role(Role::Class)
        {
            subtree_end = node.descendants().last().map_or(node.index(), Node::index) + 1;
        }
        true
    })
}
