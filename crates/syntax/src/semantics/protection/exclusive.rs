//! Fields that are used under a lock, and calls that are part of a transaction.

use std::collections::{BTreeMap, BTreeSet};

use super::super::siblings::act::{bare, is_own};
use super::super::vocabulary::has_word;
use super::code::{Code, MAX_PLACES, begins_on_change, function_around, has_words, keys};
use super::loss::{Kind, Loss};
use crate::language::Role;
use crate::tree::{Call, Node};

/// Words of what excludes others meanwhile.
const LOCKS: &[&str] = &[
    "atomic", "concurrent", "guarded", "lock", "locked", "mutex", "rlock", "semaphore",
    "synchronized", "unlock", "wlock",
];
/// Words of calls that undo all if one of their parts fails.
pub(super) const TRANSACTIONS: &[&str] =
    &["atomic", "transaction", "transactional", "transactions"];
/// Maximum number of nodes of a region that are looked at.
const MAX_REGION: usize = 4_000;

pub(super) fn lost<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let mut losses = locked(old, new);
    losses.extend(in_transaction(old, new));
    losses.extend(through_handle(old, new));
    losses
}

/// Fields that the removed code used under a lock, and that the new code uses in a function without one, called by none with one.
fn locked<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    if new.mentions(LOCKS) {
        return Vec::new();
    }
    let mut guarded: BTreeMap<&str, Node<'t>> = BTreeMap::new();
    for lock in removed_locks(old) {
        let region = match lock.has_role(Role::Lock) {
            true => Some(lock),
            false => function_around(lock),
        };
        for field in region.into_iter().flat_map(fields) {
            guarded.entry(field).or_insert(lock);
        }
    }
    if guarded.is_empty() {
        return Vec::new();
    }
    let changed = new.tree.changed_nodes().filter(|node| node.is_usable());
    let uses = changed.filter_map(|node| {
        let name = field(node)?;
        Some((node, name, *guarded.get(name)?))
    });
    let mut bare = uses
        .take(MAX_PLACES)
        .filter(|(now, ..)| !is_around(new, *now, LOCKS));
    let loss = bare.next().map(|(now, name, lock)| Loss {
        kind: Kind::Locked(name),
        at: lock,
        now,
    });
    loss.into_iter().collect()
}

/// Constructs and calls that take a lock, in removed code.
fn removed_locks<'t>(old: &Code<'t>) -> Vec<Node<'t>> {
    let constructs = old.tree.changed_nodes();
    let constructs = constructs
        .filter(|node| node.has_role(Role::Lock) && node.is_usable() && begins_on_change(*node));
    let takes =
        |call: &Call<'t>| has_word(call.name, &["lock", "rlock", "acquire", "synchronized"]);
    let calls = old.calls.iter().filter(|(_, call)| takes(call));
    constructs.chain(calls.map(|(node, _)| *node)).collect()
}

/// The fields of the own object that code uses, other than methods that it calls and the lock itself.
fn fields<'t>(region: Node<'t>) -> BTreeSet<&'t str> {
    region
        .descendants()
        .take(MAX_REGION)
        .filter_map(field)
        .collect()
}

/// The field of the own object that a node is: `clients` in `a.clients[id]`.
fn field(node: Node<'_>) -> Option<&str> {
    let receiver = node.receiver().filter(|_| node.has_role(Role::Member))?;
    let name = node.last_name();
    let is_called = node
        .parent()
        .and_then(Node::call)
        .is_some_and(|call| call.name == name && call.receiver == Some(receiver));
    (is_own(receiver) && !is_called && !has_word(name, LOCKS)).then_some(name)
}

/// The code that a transaction encloses.
struct Region<'t> {
    /// The call that begins it.
    call: Node<'t>,
    /// Its code.
    body: Node<'t>,
    /// The object through which its queries go, if it hands one out.
    handle: Option<&'t str>,
}

/// The regions of transactions on one side: those whose call satisfies a condition.
fn regions<'t>(code: &Code<'t>, is_wanted: impl Fn(Node<'t>) -> bool) -> Vec<Region<'t>> {
    let calls = code.tree.with_role(Role::Call);
    let wanted = calls.filter(|node| node.is_usable() && is_wanted(*node));
    wanted.filter_map(region).collect()
}

fn region(node: Node<'_>) -> Option<Region<'_>> {
    let call = node.call()?;
    let receiver = call.receiver.map(Node::last_name).unwrap_or_default();
    let begins = has_word(call.name, TRANSACTIONS)
        || (has_word(receiver, TRANSACTIONS)
            && ["execute", "executeWithoutResult", "run"].contains(&call.name));
    if !begins {
        return None;
    }
    if let Some(with) = node
        .ancestors()
        .take(4)
        .find(|node| node.has_role(Role::With))
    {
        return with.field("body").map(|body| Region {
            call: node,
            body,
            handle: None,
        });
    }
    let body = node
        .descendants()
        .take(MAX_REGION)
        .find(|inner| inner.has_role(Role::Lambda))?;
    let parameters = body.any_field(&["parameters", "parameter"]);
    let handle = parameters.and_then(|list| list.names().next());
    Some(Region {
        call: node,
        body,
        handle: handle.map(|name| bare(name.text())),
    })
}

/// Calls in a transaction that the change removes, which the new code makes outside of one.
fn in_transaction<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let removed = regions(old, begins_on_change);
    if removed.is_empty() || new.mentions(TRANSACTIONS) {
        return Vec::new();
    }
    let mut within: BTreeMap<String, Node<'t>> = BTreeMap::new();
    for region in &removed {
        for call in region.body.all(Role::Call).filter_map(Node::call) {
            for key in keys(&call).into_iter().filter(|key| writes(key)) {
                within.insert(key, region.call);
            }
        }
    }
    let moved = new.calls.iter().filter_map(|(now, call)| {
        let keys = keys(call);
        let at = keys.iter().find_map(|key| within.get(key))?;
        Some((*at, *now, call.name))
    });
    let mut bare = moved
        .take(MAX_PLACES)
        .filter(|(_, now, _)| !is_around(new, *now, TRANSACTIONS));
    let loss = bare.next().map(|(at, now, name)| Loss {
        kind: Kind::Transaction(name),
        at,
        now,
    });
    loss.into_iter().collect()
}

/// Whether a function around a node, or one that calls it, has a name with one of these words in it.
fn is_around<'t>(code: &Code<'t>, node: Node<'t>, words: &[&str]) -> bool {
    let functions = code.callers(node);
    functions
        .into_iter()
        .any(|function| has_words(function, words))
}

/// Whether an act changes stored data, by its name.
fn writes(key: &str) -> bool {
    const WRITES: &[&str] = &[
        "add", "attach", "create", "decrement", "delete", "destroy", "detach", "erase", "execute",
        "increment", "insert", "move", "persist", "remove", "replace", "save", "store", "sync",
        "update", "upsert", "write",
    ];
    has_word(key, WRITES)
}

/// Queries of a transaction that went through its handle, and that now go through the connection pool.
fn through_handle<'t>(old: &Code<'t>, new: &Code<'t>) -> Vec<Loss<'t>> {
    let with_handle = regions(old, |_| !old.calls.is_empty() && !new.calls.is_empty());
    for region in with_handle {
        let Some((handle, pool)) = region.handle.zip(pool(&region)) else {
            continue;
        };
        let was = old.calls.iter().filter(|(node, call)| {
            node.is_inside(region.body) && writes(call.name) && root(*node) == Some(handle)
        });
        for (_, call) in was {
            let now = new.calls.iter().find(|(node, other)| {
                other.name == call.name
                    && root(*node) == Some(pool)
                    && call.arguments.len() == other.arguments.len()
            });
            if let Some((now, _)) = now.filter(|_| !new.changed.contains(handle)) {
                return vec![Loss {
                    kind: Kind::Transaction(call.name),
                    at: *now,
                    now: *now,
                }];
            }
        }
    }
    Vec::new()
}

/// The object that begins a transaction: `knex` in `knex.transaction(…)`.
fn pool<'t>(region: &Region<'t>) -> Option<&'t str> {
    root(region.call)
}

/// The first name of a chain of calls: `trx` in `trx("visits").where(…).insert(…)`.
fn root(node: Node<'_>) -> Option<&str> {
    node.leaves()
        .find(|leaf| leaf.has_role(Role::Name))
        .map(|leaf| bare(leaf.text()))
}
