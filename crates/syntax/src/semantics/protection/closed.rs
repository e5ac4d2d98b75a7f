//! Results of calls that a construct closes.

use std::collections::BTreeSet;

use super::super::siblings::act::{self, bare};
use super::super::vocabulary::{has_word, locks};
use super::code::{Code, MAX_PLACES, function_around};
use super::exclusive::TRANSACTIONS;
use super::loss::{Kind, Loss};
use crate::language::Role;
use crate::tree::{Call, Node};

/// Methods of Kotlin that close their receiver after a block.
const USES: &[&str] = &["use", "useLines"];

/// Calls that the change writes anew and whose result nothing closes, though the removed code closed what they open.
pub(super) fn lost<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let mut closed: BTreeSet<&str> = BTreeSet::new();
    for (node, call) in &old.calls {
        if is_opener(call) && is_closed_by_construct(*node) && !new.defines(call.name) {
            closed.insert(call.name);
        }
    }
    if closed.is_empty() {
        return Vec::new();
    }
    let is_open = |node: Node<'t>| {
        let Some((variable, function)) = act::variable(node).zip(function_around(node)) else {
            return false;
        };
        let calls: Vec<Node<'t>> = function.all(Role::Call).collect();
        !is_closed_by_construct(node)
            && !act::is_closed(node, variable, &calls)
            && !is_used(function, variable)
            && !act::is_given_away(function, variable)
    };
    let opened = new
        .calls
        .iter()
        .filter(|(_, call)| closed.contains(call.name))
        .take(MAX_PLACES)
        .filter(|(node, _)| is_open(*node));
    opened
        .map(|(node, call)| Loss {
            kind: Kind::Closed(call.name),
            at: *node,
            now: *node,
        })
        .collect()
}

/// Whether a call may open something: it has a name of its own, and is no lock or transaction.
fn is_opener(call: &Call<'_>) -> bool {
    !locks(call.callee) && !has_word(call.callee, TRANSACTIONS)
}

/// Whether a construct closes the result: `with open(p) as f`, `using (var s = a.Open())`, `File(p).use { … }`.
fn is_closed_by_construct(call: Node<'_>) -> bool {
    let mut inner = call;
    for around in call.ancestors().take(8) {
        if around.has_role(Role::Block) || around.has_role(Role::Arguments) {
            return false;
        }
        if around.has_role(Role::With) {
            return !around.is(&["defer_statement"]);
        }
        if let Some(next) = around.call() {
            let is_on_it = next.receiver == Some(inner);
            return is_on_it && USES.contains(&next.name);
        }
        if around.has_role(Role::Member) {
            continue;
        }
        // `using var stream = a.Open();`
        if around.is_statement() {
            let text = around.text();
            return text.starts_with("using ") || text.starts_with("await using ");
        }
        inner = around;
    }
    false
}

/// Whether `use` is called on a variable, or a construct holds it.
fn is_used(function: Node<'_>, variable: &str) -> bool {
    let names = function
        .names()
        .filter(|name| bare(name.text()) == variable);
    names.into_iter().any(|name| {
        is_closed_by_construct(name)
            || name.parent().is_some_and(|around| {
                around
                    .ancestors()
                    .take(2)
                    .filter_map(Node::call)
                    .any(|call| call.receiver == Some(name) && USES.contains(&call.name))
            })
    })
}
