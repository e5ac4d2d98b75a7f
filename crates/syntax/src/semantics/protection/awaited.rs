//! Calls that were awaited.

use std::collections::BTreeSet;

use super::super::siblings::act;
use super::code::{Code, MAX_PLACES, is_dropped};
use super::loss::{Kind, Loss};
use crate::language::Role;
use crate::tree::Node;

/// Calls that the change writes anew as a statement without `await`, though the file awaited the same function everywhere.
pub(super) fn lost<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let awaited = old
        .calls
        .iter()
        .filter(|(node, call)| is_awaited(*node) && !act::is_common(call.name));
    let awaited: BTreeSet<&str> = awaited.map(|(_, call)| call.name).collect();
    let dropped = new
        .calls
        .iter()
        .filter(|(node, call)| is_dropped(*node) && awaited.contains(call.name));
    let is_lost = |name: &str| {
        let was_dropped = old.calls_of(name).iter().any(|node| is_dropped(*node));
        !was_dropped && !is_synchronous(new, name)
    };
    dropped
        .take(MAX_PLACES)
        .filter(|(_, call)| is_lost(call.name))
        .map(|(node, call)| Loss {
            kind: Kind::Awaited(call.name),
            at: *node,
            now: *node,
        })
        .collect()
}

fn is_awaited(call: Node<'_>) -> bool {
    call.parent()
        .is_some_and(|around| around.has_role(Role::Await))
}

/// Whether the file defines a function with this name that need not be awaited.
fn is_synchronous(code: &Code<'_>, name: &str) -> bool {
    let functions = code.tree.with_role(Role::Function);
    functions
        .filter(|node| node.function().is_some_and(|own| own.name.text() == name))
        .any(|node| {
            let head = node.text().split(['{', '\n']).next().unwrap_or_default();
            !["async", "Promise", "Task", "Future"]
                .iter()
                .any(|word| head.contains(word))
        })
}
