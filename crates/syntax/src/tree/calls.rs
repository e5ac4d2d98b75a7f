//! Calls: callee and arguments.

use super::call_cache::{CachedCall, Parts};
use super::node::Node;
use crate::language::Role;

/// A call: `receiver.name(arguments)`.
#[derive(Debug, Clone)]
pub struct Call<'t> {
    /// The callee as written, for example `a.b.c`.
    pub callee: &'t str,
    /// The last name of the callee, for example `c`.
    pub name: &'t str,
    /// The receiver, for example `a.b`.
    pub receiver: Option<Node<'t>>,
    /// The arguments in order, named ones with their names.
    pub arguments: Vec<Node<'t>>,
}

const ARGUMENTS: &[&str] = &[
    "argument_list", "arguments", "value_arguments", "call_suffix", "function_arguments",
    "token_tree",
];
const CALLEE: &[&str] = &["function", "method", "name", "constructor", "macro", "type"];

impl<'t> Node<'t> {
    /// The node as a call.
    #[must_use]
    pub fn call(self) -> Option<Call<'t>> {
        if !self.has_role(Role::Call) {
            return None;
        }
        let cache = &self.tree().calls;
        let known = cache.take(self.index()).unwrap_or_else(|| CachedCall {
            node: self.index(),
            parts: parts(self),
        });
        let call = known.parts.as_ref().map(|parts| call(parts, self));
        cache.put(known);
        call
    }
}

fn call<'t>(parts: &Parts, node: Node<'t>) -> Call<'t> {
    let tree = node.tree();
    let at = |index: usize| u32::try_from(index).ok().and_then(|index| tree.node(index));
    Call {
        callee: tree.slice(parts.callee.start, parts.callee.end),
        name: tree.slice(parts.name.start, parts.name.end),
        receiver: parts.receiver.and_then(at),
        arguments: parts.arguments.iter().copied().filter_map(at).collect(),
    }
}

/// Maximum number of parentheses and casts around a callee.
const WRAPPERS: usize = 4;

/// The callee without parentheses and casts around it: `(f)`, `(f as any)`, `(0, f)`, `f!`, `(*f)`. They call the same function.
fn unwrapped(callee: Node<'_>) -> Node<'_> {
    let mut inner = callee;
    for _ in 0..WRAPPERS {
        let next = match inner.kind() {
            "parenthesized_expression" | "sequence_expression" => inner.named_children().last(),
            "as_expression" | "satisfies_expression" | "non_null_expression" => {
                inner.named_children().next()
            }
            "pointer_expression" => inner.field("argument"),
            _ => break,
        };
        match next {
            Some(next) => inner = next,
            None => return callee,
        }
    }
    let is_named = inner.has_role(Role::Name) || inner.has_role(Role::Member);
    if is_named { inner } else { callee }
}

fn parts(node: Node<'_>) -> Option<Parts> {
    let callee = node
        .any_field(CALLEE)
        .or_else(|| node.named_children().next())
        .map(unwrapped)?;
    let list = node
        .field("arguments")
        .or_else(|| node.child_of_kind(ARGUMENTS));
    let list = list.map(|list| list.child_of_kind(&["value_arguments"]).unwrap_or(list));
    // The arguments of a bare word and of a shell command are siblings of the name.
    let siblings = || {
        node.named_children()
            .filter(|node| node.index() > callee.index())
            .map(Node::index)
            .collect()
    };
    let arguments = match list {
        Some(list) => list.named_children().map(Node::index).collect(),
        None if node.is(&["command"]) => siblings(),
        None => Vec::new(),
    };
    let own_receiver = node.any_field(&["object", "receiver", "scope"]);
    let start = own_receiver.unwrap_or(callee).start();
    let name = callee.last_name_node();
    Some(Parts {
        callee: start..callee.end(),
        name: name.start()..name.end(),
        receiver: own_receiver.or_else(|| callee.receiver()).map(Node::index),
        arguments,
    })
}
