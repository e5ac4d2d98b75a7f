//! Facts about a function that do not depend on spelling: its calls and how it is protected.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::act::{self, Test, Treatment, bare};
use super::filters;
use super::unit::Unit;
use crate::language::Role;
use crate::semantics::authorization::is_marker;
use crate::semantics::decorators;
use crate::semantics::vocabulary::{has_word, words_of};
use crate::tree::{Call, Node};

/// Maximum number of nodes of a function that are looked at.
const MAX_NODES: usize = 6_000;
/// Maximum number of calls, conditions and names in a condition.
const MAX_CALLS: usize = 60;
const MAX_TESTS: usize = 40;
const MAX_NAMES: usize = 24;
/// Maximum length of a parameter's type.
const MAX_TYPE: usize = 40;
/// Words of calls that refuse a request.
const REFUSALS: &[&str] = &[
    "abort", "deny", "denied", "error", "fail", "forbid", "forbidden", "halt", "next", "notfound",
    "problem", "reject", "unauthorized",
];
/// First words of calls that are a step for safety.
const STEPS: &[&str] = &[
    "assert", "audit", "check", "clean", "commit", "dispatch", "emit", "ensure", "escape", "evict",
    "flush", "invalidate", "notify", "publish", "record", "reindex", "release", "require",
    "sanitise", "sanitize", "validate", "verify",
];
/// Words of checks that any function may make of its arguments: `checkNotNull`.
const PRECONDITIONS: &[&str] = &[
    "argument", "arguments", "condition", "empty", "non", "not", "null", "parameter", "parameters",
    "state", "that", "true",
];
/// First words of calls that record what was done, and the words for it.
const RECORDS: &[&str] = &["add", "create", "log", "record", "save", "track", "write"];
const RECORDED: &[&str] = &[
    "action", "activity", "audit", "change", "event", "history", "moderation",
];
/// First words of calls that drop what is cached, and the words for that.
const CLEARS: &[&str] = &[
    "clear", "delete", "expire", "forget", "purge", "refresh", "remove", "reset", "update",
];
const CACHES: &[&str] = &["cache", "caches", "cached"];
/// First words of calls that change stored data.
const WRITES: &[&str] = &[
    "create", "delete", "destroy", "erase", "insert", "persist", "remove", "save", "store",
    "update", "upsert",
];
/// Words of calls that exclude others meanwhile, or undo all if they fail.
const LOCKS: &[&str] = &["atomic", "lock", "mutex", "synchronized", "transaction"];
/// Types of parameters that all kinds of functions have.
const COMMON_TYPES: &[&str] = &[
    "Boolean", "Int", "Integer", "List", "Long", "Map", "Object", "String",
];

/// A property that functions have in common.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key<'t> {
    /// They do the same.
    Act(String),
    /// They have the same decorator.
    Decorator(&'t str),
    /// They have a parameter of the same type.
    Parameter(&'t str),
    /// They change stored data.
    Writes,
}

/// A call of a function, all calls with the same key together.
#[derive(Clone)]
pub(super) struct Act<'t> {
    /// The first call.
    pub call: Node<'t>,
    /// They are calls about the same data, and not the same call.
    pub is_data: bool,
    /// The variables that results are assigned to.
    pub variables: Vec<&'t str>,
    pub treatments: BTreeSet<Treatment<'t>>,
    /// The words of the statements with the calls.
    pub words: HashSet<String>,
}

/// The facts about a function.
#[derive(Clone)]
pub(super) struct Profile<'t> {
    pub unit: Unit<'t>,
    pub keys: BTreeSet<Key<'t>>,
    pub acts: BTreeMap<String, Act<'t>>,
    /// The names of its authorization checks: decorators, calls, conditions under which it leaves.
    pub checks: BTreeSet<&'t str>,
    /// Those of them that are decorators.
    pub attributes: BTreeSet<&'t str>,
    /// The names of its calls that are a step for safety: validation, locks, caches, audit.
    pub steps: BTreeSet<&'t str>,
    /// The names of the functions of the same object or module that it calls.
    pub called: BTreeSet<&'t str>,
    /// The names of all calls and decorators, as words.
    pub calls: Vec<Vec<String>>,
    /// The words of everything in it and its decorators except comments, and those of names alone.
    pub words: HashSet<String>,
    pub name_words: HashSet<String>,
    /// The words of its conditions.
    pub tested_words: HashSet<String>,
    /// Whether it asks who the caller is.
    pub uses_caller: bool,
    /// Whether only code of the same class or module can call it.
    pub is_private: bool,
}

pub(super) fn profile<'t>(unit: &Unit<'t>) -> Profile<'t> {
    let node = unit.node;
    let mut tests: Vec<Test<'t>> = Vec::new();
    let mut calls: Vec<Node<'t>> = Vec::new();
    let mut profile = Profile {
        unit: unit.clone(),
        keys: BTreeSet::new(),
        acts: BTreeMap::new(),
        checks: BTreeSet::new(),
        attributes: BTreeSet::new(),
        steps: BTreeSet::new(),
        called: BTreeSet::new(),
        calls: Vec::new(),
        words: HashSet::new(),
        name_words: HashSet::new(),
        tested_words: HashSet::new(),
        uses_caller: false,
        is_private: is_private(unit),
    };
    for inner in node.descendants().take(MAX_NODES) {
        if inner.is_leaf() && !inner.has_role(Role::Comment) {
            let words = words_of(inner.text());
            if inner.has_role(Role::Name) || inner.has_role(Role::Number) {
                profile.name_words.extend(words.iter().cloned());
            }
            profile.words.extend(words);
        }
        if tests.len() < MAX_TESTS {
            tests.extend(test(inner));
        }
        if calls.len() < MAX_CALLS && inner.has_role(Role::Call) {
            calls.push(inner);
        }
    }
    let tested = tests.iter().flat_map(|test| &test.names);
    profile
        .tested_words
        .extend(tested.flat_map(|name| words_of(name)));
    for decorator in decorators::of(node) {
        let name = decorators::name(decorator);
        profile.words.extend(words_of(decorator.text()));
        profile.name_words.extend(words_of(name));
        profile.calls.push(words_of(name));
        profile.keys.insert(Key::Decorator(name));
        profile.checks.extend(is_marker(name).then_some(name));
        profile.attributes.extend(is_marker(name).then_some(name));
    }
    profile.keys.extend(parameter_types(node));
    let leaving = || tests.iter().filter(|test| test.leaves);
    let names = leaving().flat_map(|test| test.names.iter().copied());
    profile
        .checks
        .extend(names.filter(|name| is_marker(name) && !has_word(name, VALUES)));
    let refusals = leaving().flat_map(|test| test.refusals.iter().copied());
    profile.checks.extend(refusals);
    // Guards of a route are steps before its handler.
    let guards = unit.guards.iter().copied();
    profile
        .steps
        .extend(guards.filter(|name| has_word(name, LOCKS)));
    for filter in filters::of(node) {
        let kind = if is_marker(filter) {
            &mut profile.checks
        } else {
            &mut profile.steps
        };
        kind.insert(filter);
    }
    for node in &calls {
        read_call(*node, &tests, &calls, &mut profile);
    }
    let keys = profile.acts.keys().cloned().map(Key::Act);
    profile.keys.extend(keys.collect::<Vec<_>>());
    profile
}

/// Adds what the functions of the same file do that a function calls.
pub(super) fn with_called<'t>(profile: &mut Profile<'t>, others: &[Profile<'t>]) {
    let own = profile.unit.node;
    let is_called = |other: &&Profile<'t>| {
        profile.called.contains(other.unit.name.text()) && other.unit.node != own
    };
    let called: Vec<&Profile<'t>> = others.iter().filter(is_called).take(MAX_CALLED).collect();
    for other in called {
        profile.checks.extend(other.checks.iter().copied());
        profile.steps.extend(other.steps.iter().copied());
        profile.words.extend(other.words.iter().cloned());
        profile.calls.extend(other.calls.iter().cloned());
        profile.name_words.extend(other.name_words.iter().cloned());
        profile
            .tested_words
            .extend(other.tested_words.iter().cloned());
    }
}

/// Maximum number of functions of the same file that are followed.
const MAX_CALLED: usize = 6;

fn read_call<'t>(
    node: Node<'t>,
    tests: &[Test<'t>],
    calls: &[Node<'t>],
    profile: &mut Profile<'t>,
) {
    let Some(call) = node.call() else { return };
    profile
        .checks
        .extend(is_marker(call.name).then_some(call.name));
    let words = words_of(call.name);
    profile
        .steps
        .extend(is_step(&call, &words).then_some(call.name));
    if begins(&words, WRITES) {
        profile.keys.insert(Key::Writes);
    }
    profile.uses_caller |= act::is_caller(call.name);
    profile.calls.push(words);
    let is_own = call.receiver.is_none_or(act::is_own);
    profile.called.extend(is_own.then_some(call.name));
    let data = act::data(&call);
    let mut keys: Vec<(String, bool)> = act::keys(&call)
        .into_iter()
        .map(|key| (key, false))
        .collect();
    keys.extend(data.map(|name| (name.to_owned(), true)));
    if keys.is_empty() {
        return;
    }
    let mut treatments: BTreeSet<Treatment<'t>> = BTreeSet::new();
    let variable = act::variable(node);
    if let Some(variable) = variable {
        act::tested(node, variable, tests, &mut treatments);
        treatments.extend(act::is_closed(node, variable, calls).then_some(Treatment::Closed));
    }
    treatments.extend(act::has_default(node).then_some(Treatment::Tested));
    treatments.extend(act::limits(&call).into_iter().map(Treatment::Limited));
    treatments.extend(act::follow_ups(node).into_iter().map(Treatment::Followed));
    let handled = act::handled(node, profile.unit.node);
    treatments.extend(handled.into_iter().map(Treatment::Handled));
    let statement = node.statement();
    let around = if statement.is_inside(profile.unit.node) {
        statement
    } else {
        node
    };
    let words: Vec<String> = around
        .leaves()
        .take(MAX_STATEMENT)
        .flat_map(|leaf| words_of(leaf.text()))
        .collect();
    for (key, is_data) in keys {
        let act = profile.acts.entry(key).or_insert_with(|| Act {
            call: node,
            is_data,
            variables: Vec::new(),
            treatments: BTreeSet::new(),
            words: HashSet::new(),
        });
        act.variables.extend(variable);
        act.treatments.extend(treatments.iter().copied());
        act.words.extend(words.iter().cloned());
    }
}

/// Maximum number of tokens of a statement with a call.
const MAX_STATEMENT: usize = 200;

/// The node as a condition.
pub(crate) fn test(node: Node<'_>) -> Option<Test<'_>> {
    let branch = node.branch()?;
    let names = branch.condition.names().take(MAX_NAMES);
    let mut leaves = false;
    let mut refusals = Vec::new();
    for part in std::iter::once(branch.then).chain(branch.otherwise) {
        for inner in std::iter::once(part).chain(part.descendants().take(MAX_BRANCH)) {
            leaves |= refuses(inner);
            let is_refusal =
                inner.has_role(Role::Name) && inner.is_leaf() && has_word(inner.text(), REFUSED);
            refusals.extend(is_refusal.then_some(inner.text()));
        }
    }
    Some(Test {
        condition: branch.condition,
        names: names
            .flat_map(|name| name.leaves())
            .map(|name| bare(name.text()))
            .collect(),
        leaves,
        refusals,
    })
}

/// Maximum number of nodes of a branch.
const MAX_BRANCH: usize = 400;
/// Words of names of values, as opposed to checks: `AuthorizationType`.
const VALUES: &[&str] = &["kind", "mode", "status", "type"];
/// Words of what a function returns or throws if the caller may not do something.
const REFUSED: &[&str] = &[
    "403forbidden", "denied", "forbid", "forbidden", "unauthorised", "unauthorized",
];

/// Whether it leaves the function, or refuses the request.
fn refuses(node: Node<'_>) -> bool {
    if node.is_plain_exit() {
        return true;
    }
    let call = node.call();
    call.is_some_and(|call| has_word(call.name, REFUSALS))
}

/// Whether a call validates, locks, records what was done, or keeps something else up to date.
fn is_step(call: &Call<'_>, words: &[String]) -> bool {
    let has = |list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let begins = |list| begins(words, list);
    let owner = call.receiver.map(Node::last_name).unwrap_or_default();
    let is_general = words
        .iter()
        .skip(1)
        .all(|word| PRECONDITIONS.contains(&word.as_str()));
    (begins(STEPS) && !is_general)
        || has(LOCKS)
        || (begins(RECORDS) && has(RECORDED))
        || (begins(CLEARS) && (has(CACHES) || owner.to_ascii_lowercase().contains("cache")))
}

/// Whether the first of the words of a name is in a list.
fn begins(words: &[String], list: &[&str]) -> bool {
    let first = words.first();
    first.is_some_and(|first| list.contains(&first.as_str()))
}

fn parameter_types<'t>(function: Node<'t>) -> Vec<Key<'t>> {
    let parameters = function
        .function()
        .and_then(|function| function.parameters)
        .or_else(|| function.field("parameters"));
    let each = parameters
        .into_iter()
        .flat_map(Node::named_children)
        .take(12);
    each.filter_map(|parameter| {
        let text = parameter
            .field("type")?
            .text()
            .trim_start_matches([':', ' ']);
        let is_telling = text.len() <= MAX_TYPE
            && text.contains(char::is_uppercase)
            && !COMMON_TYPES.contains(&text);
        is_telling.then_some(Key::Parameter(text))
    })
    .collect()
}

/// Whether the function's modifiers or its name say that it is private.
fn is_private(unit: &Unit<'_>) -> bool {
    const WORDS: &[&str] = &["private", "protected", "internal", "fileprivate"];
    let name = unit.name.text();
    let source = unit.node.text();
    let head = unit.name.start().checked_sub(unit.node.start());
    let head = head.and_then(|end| source.get(..end)).unwrap_or_default();
    name.starts_with(['_', '#']) || head.split_whitespace().any(|word| WORDS.contains(&word))
}
