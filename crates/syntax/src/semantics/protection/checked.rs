//! Checks before an act: that the caller may do it, that the data is the caller's, that a value is within a limit.

use std::collections::HashSet;

use super::super::authorization::{is_marker, opens, selects};
use super::super::siblings::act::{Test, is_owner};
use super::super::siblings::profile::test;
use super::super::vocabulary::{checks, has_word, words_of};
use super::code::{
    Code, MAX_PLACES, begins_on_change, function_around, has_stem, is_dropped, keys,
};
use super::loss::{Kind, Loss};
use crate::language::Role;
use crate::tree::{Node, Operation};

/// Stems of words of checks that keep callers or values out.
const GUARDS: &[&str] = &[
    "allow", "banned", "block", "contained", "denied", "expired", "forbid", "guard", "permit",
    "revok", "suspend", "throttl", "trusted", "verif", "whitelist",
];
/// Stems of words of functions that make a value safe to output.
const ESCAPES: &[&str] = &[
    "escape", "htmlentities", "htmlspecialchars", "mask", "purif", "quote", "redact", "sanitis",
    "sanitiz", "shellescape",
];
/// Words of limits.
const LIMITS: &[&str] = &["cap", "limit", "limits", "max", "maximum", "quota"];
/// Functions that cut a value to a limit.
const CUTS: &[&str] = &[
    "clamp", "coerceAtMost", "coerceIn", "LimitReader", "min", "Min", "minOf", "take",
];
/// Maximum number of removed conditions that are looked at.
const MAX_TESTS: usize = 30;

pub(super) fn lost<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let ifs = old.tree.changed_nodes().filter(|node| node.is_usable());
    let tests = ifs
        .filter_map(|node| Some((node, test(node)?)))
        .filter(|(_, test)| begins_on_change(test.condition));
    let mut losses: Vec<Loss<'t>> = Vec::new();
    for (node, test) in tests.take(MAX_TESTS) {
        let kind = check(node, &test, (old, new))
            .or_else(|| owner(&test, new))
            .or_else(|| limit_of(&test, new));
        losses.extend(kind.and_then(|kind| {
            let now = survivor(node, kind, &test, new)?;
            Some(Loss {
                kind,
                at: node,
                now,
            })
        }));
    }
    losses.extend(calls(old, new));
    losses.extend(escapes(old, new));
    losses.extend(cuts(old, new));
    losses
}

/// A check by name, on which the function is left: `if (isBlocked(ip)) return …`.
fn check<'t>(
    node: Node<'t>,
    test: &Test<'t>,
    (old, new): (&Code<'t>, &Code<'t>),
) -> Option<Kind<'t>> {
    let then = node.branch()?.then;
    let before = node
        .all(Role::Call)
        .take_while(|call| call.index() < then.index());
    let name = before
        .filter_map(Node::call)
        .map(|call| call.name)
        .find(|name| test.leaves && is_check(name))?;
    (!is_replaced(name, old, new)).then_some(Kind::Check(name))
}

/// Whether a name is that of a check.
fn is_check(name: &str) -> bool {
    (is_marker(name) || has_stem(name, GUARDS)) && !opens(name)
}

/// Whether the change keeps a check elsewhere, or brings another one.
fn is_replaced<'t>(name: &str, old: &Code<'t>, new: &Code<'t>) -> bool {
    let replaces =
        |other: &str| has_stem(other, GUARDS) || (is_marker(name) && is_about_rights(other));
    new.changed.contains(name) || new.brings(old).any(replaces)
}

/// Whether a name is that of a check, or about what the caller may do.
fn is_about_rights(name: &str) -> bool {
    const RIGHTS: &[&str] = &["access", "can", "gate", "policy", "visible"];
    is_marker(name) || selects(name) || checks(name) || has_word(name, RIGHTS)
}

/// Checks that throw: `$this->authorize('update', $post);`.
fn calls<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let removed = old.calls.iter().filter(|(node, call)| {
        is_dropped(*node) && is_check(call.name) && !is_replaced(call.name, old, new)
    });
    removed
        .take(MAX_PLACES)
        .filter_map(|(node, call)| {
            let later = function_around(*node)?
                .all(Role::Call)
                .filter(|later| later.index() > node.index());
            Some(Loss {
                kind: Kind::Check(call.name),
                at: *node,
                now: new.call_doing(&acts(later))?,
            })
        })
        .collect()
}

/// Calls that made a value safe, which the new code uses as it is.
fn escapes<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let is_escape = |name: &str| has_stem(name, ESCAPES);
    if new.brings(old).any(is_escape) {
        return Vec::new();
    }
    let removed = old
        .calls
        .iter()
        .filter(|(_, call)| is_escape(call.name) && !new.changed.contains(call.name));
    removed
        .take(MAX_PLACES)
        .filter_map(|(node, call)| {
            let value = call.arguments.first()?.last_name();
            let mut names = new
                .tree
                .changed_nodes()
                .filter(|name| name.has_role(Role::Name) && name.is_leaf() && name.is_usable());
            Some(Loss {
                kind: Kind::Escape(call.name),
                at: *node,
                now: names.find(|name| name.text() == value && is_passed_on(*name))?,
            })
        })
        .collect()
}

/// Whether a value becomes part of a text, or an argument.
fn is_passed_on(name: Node<'_>) -> bool {
    name.ancestors().take(4).any(|around| {
        around.has_role(Role::Arguments)
            || around.has_role(Role::Text)
            || around.has_role(Role::Binary)
    })
}

/// The acts that calls are.
fn acts<'t>(calls: impl Iterator<Item = Node<'t>>) -> HashSet<String> {
    calls
        .filter_map(Node::call)
        .flat_map(|call| keys(&call))
        .collect()
}

/// A comparison of an owner with the caller.
fn owner<'t>(test: &Test<'t>, new: &Code<'t>) -> Option<Kind<'t>> {
    let binaries = test.condition.all(Role::Binary).filter_map(Node::binary);
    let equalities = binaries.filter(|binary| matches!(binary.operation(), Operation::Equality));
    let name = equalities
        .flat_map(|binary| [(binary.left, binary.right), (binary.right, binary.left)])
        .find_map(|(left, right)| {
            let is_of_data = left.has_role(Role::Member) && is_owner(left.last_name());
            let is_caller = right.names().any(|name| is_owner(name.text()));
            let differ =
                left.leaves().next().map(Node::text) != right.leaves().next().map(Node::text);
            (is_of_data && is_caller && differ).then(|| left.last_name())
        })?;
    let is_replaced = new
        .changed
        .iter()
        .any(|other| is_owner(other) || is_marker(other) || selects(other));
    (!is_replaced).then_some(Kind::Owner(name))
}

/// A comparison with a limit, on which the function is left.
fn limit_of<'t>(test: &Test<'t>, new: &Code<'t>) -> Option<Kind<'t>> {
    let binaries = test.condition.all(Role::Binary).filter_map(Node::binary);
    let mut orders = binaries.filter(|binary| matches!(binary.operation(), Operation::Order));
    let name = orders.find_map(|binary| {
        [binary.left, binary.right]
            .into_iter()
            .map(Node::last_name)
            .find(|name| is_limit(name))
    });
    let name = name.filter(|_| test.leaves)?;
    is_unlimited(new).then_some(Kind::Limit(name))
}

/// Whether a name is that of a limit: `MAX_PAGE_SIZE`, `maxUploadSize`, `SIZE_LIMIT`.
fn is_limit(name: &str) -> bool {
    let words = words_of(name);
    words.len() >= 2 && has_word(name, LIMITS)
}

/// Whether the changed code of a side neither names a limit nor cuts a value.
fn is_unlimited(code: &Code<'_>) -> bool {
    !code.changed.iter().any(|name| is_limit(name))
        && !code.calls.iter().any(|(_, call)| CUTS.contains(&call.name))
}

/// Values that a removed call cut to a limit: `Math.min(size, MAX_SIZE)`.
fn cuts<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    if !is_unlimited(new) {
        return Vec::new();
    }
    let cuts = old.calls.iter().filter_map(|(node, call)| {
        let mut arguments = call.arguments.iter().map(|argument| argument.last_name());
        let name = arguments.find(|name| is_limit(name))?;
        CUTS.contains(&call.name).then_some((*node, name))
    });
    cuts.take(MAX_PLACES)
        .filter_map(|(node, name)| {
            let statement = node.statement();
            let function = function_around(node)?;
            let others = function
                .all(Role::Call)
                .filter(|other| !other.is_inside(statement) && *other != statement);
            Some(Loss {
                kind: Kind::Limit(name),
                at: node,
                now: new.call_doing(&acts(others))?,
            })
        })
        .collect()
}

/// A call of the function that the condition protected and that the new code still makes.
fn survivor<'t>(
    branch: Node<'t>,
    kind: Kind<'t>,
    test: &Test<'t>,
    new: &Code<'t>,
) -> Option<Node<'t>> {
    let function = function_around(branch)?;
    let is_refusal = |call: Node<'t>| {
        let within = branch
            .branch()
            .into_iter()
            .flat_map(|branch| std::iter::once(branch.then).chain(branch.otherwise));
        within
            .filter(|part| call.is_inside(*part))
            .any(|part| test.leaves && part.ends_in_exit())
    };
    let calls = function.all(Role::Call).filter(|call| {
        // A limit may be tested after each part.
        (call.index() > test.condition.index() || matches!(kind, Kind::Limit(_)))
            && !call.is_inside(test.condition)
            && *call != test.condition
            && !is_refusal(*call)
    });
    new.call_doing(&acts(calls))
}
