//! Calls on the new side of a change, and in files outside it.

use syntax::language::Role;
use syntax::semantics::result_use::awaits;
use syntax::tree::Node;

use super::calls::{CallSite, ReceiverKind};
use crate::text::hash;

/// The variable that holds the callee with this name.
fn variable(name: Node<'_>) -> Option<Node<'_>> {
    let sets = |node: &Node<'_>| node.assignment().is_some_and(|set| set.target == name);
    name.ancestors().take(2).find(sets)
}

/// A call as a fact; `None` if its callee is unknown.
#[must_use]
pub fn call_site(node: Node<'_>) -> Option<CallSite> {
    let call = node.call()?;
    let tree = node.tree();
    let is_variable = || {
        tree.places(variable)
            .within(tree, call.name, 0..usize::MAX)
            .next()
            .is_some()
    };
    if call.receiver.is_none() && is_variable() {
        return None;
    }
    let (receiver, through) = match call.receiver {
        None => (ReceiverKind::Bare, 0),
        Some(receiver)
            if matches!(
                receiver.text(),
                "this" | "self" | "cls" | "$this" | "static"
            ) =>
        {
            (ReceiverKind::Own, 0)
        }
        Some(receiver) => (ReceiverKind::Other, hash(receiver.last_name())),
    };
    // Macros take any arguments, and a trailing lambda is an argument too.
    let counts = call.arguments.iter().all(|argument| is_one(*argument))
        && !node.kind().contains("macro")
        && !node
            .descendants()
            .take(40)
            .any(|inner| inner.is(&["annotated_lambda"]));
    Some(CallSite {
        name: hash(call.name),
        line: node.line()?,
        arguments: u8::try_from(call.arguments.len()).ok().filter(|_| counts),
        named: u8::try_from(
            call.arguments
                .iter()
                .filter(|argument| is_named(**argument))
                .count(),
        )
        .unwrap_or(u8::MAX),
        receiver,
        through,
        added: node.touches_change(),
        adapted: false,
        unawaited: is_unawaited(node),
    })
}

/// Whether an argument corresponds to exactly one parameter.
fn is_one(argument: Node<'_>) -> bool {
    const MANY: &[&str] = &[
        "splat", "spread", "variadic", "unpack", "block_argument", "pair", "hash",
    ];
    let is_many = |node: Node<'_>| MANY.iter().any(|part| node.kind().contains(part));
    let text = argument.text();
    let points = ["C", "C++", "Go", "Rust"].contains(&argument.tree().grammar().name());
    let marked = text.starts_with("...")
        || text.ends_with("...")
        || (text.starts_with(['*', '&']) && !points);
    !(marked || is_many(argument) || argument.children().any(is_many))
}

fn is_named(argument: Node<'_>) -> bool {
    let by_field = argument.is(&["argument", "value_argument"]) && argument.field("name").is_some();
    by_field || argument.is(&["keyword_argument"])
}

/// Whether the result of a call is discarded, tested or accessed without being awaited.
fn is_unawaited(call: Node<'_>) -> bool {
    let Some(around) = call.parent() else {
        return false;
    };
    if around.has_role(Role::Await) {
        return false;
    }
    let opened = around.has_role(Role::Member)
        && around.receiver() == Some(call)
        && !awaits(around.last_name());
    let tested = around
        .condition()
        .is_some_and(|condition| condition == call)
        || around.negated() == Some(call);
    let alone = around.is(&["expression_statement"]) || around.has_role(Role::Block);
    opened || tested || alone
}
