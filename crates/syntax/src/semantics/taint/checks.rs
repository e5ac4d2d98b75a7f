//! Whether a value was checked against an allowlist or a similar test before its use.

use super::kind::Kind;
use super::scopes::scopes;
use super::setting::{before, setting};
use super::table::Table;
use crate::language::Role;
use crate::tree::Node;

/// Parts of the names of functions that test a value.
const TESTS: &[&str] = &[
    "valid", "allow", "safe", "check", "match", "test", "startswith", "includes", "isdigit",
    "isalnum", "has", "contains", "verify", "fullmatch", "indexof", "in_array", "permitted",
    "white", "exists", "include?", "start_with", "isnumeric", "is_numeric", "ctype_", "islocal",
    "is_int",
];

/// Parts of the names of functions that throw for an invalid value.
const DEMANDS: &[&str] = &[
    "valid", "check", "assert", "verify", "ensure", "require", "sanitize", "demand",
];

/// Parts of a URL that exist only if it leads to another host.
const FOREIGN: &[&str] = &["netloc", "hostname", "is_absolute()"];

/// Whether a test before the use rejects invalid values of a name, so that the use is only reached with valid ones.
pub(super) fn is_checked(table: &Table, used: Node<'_>, kind: Kind) -> bool {
    let Some(scope) = scopes(used).into_iter().next() else {
        return false;
    };
    let (tree, name, before) = (used.tree(), used.text(), before(scope, used));
    let nodes_of = |of| tree.places(of).within(tree, name, before.clone());
    nodes_of(branch_on)
        .chain(nodes_of(choice_by))
        .any(|branch| guards(branch, used, kind))
        || nodes_of(statement_with).any(|call| demands(table, call, used, name))
}

/// How many levels of nodes above a name are searched for a test.
const LEVELS: usize = 32;

/// The `if` whose condition a name is in.
fn branch_on(mention: Node<'_>) -> Option<Node<'_>> {
    conditional(mention, Role::If)
}

/// The conditional expression whose condition a name is in.
fn choice_by(mention: Node<'_>) -> Option<Node<'_>> {
    conditional(mention, Role::Ternary)
}

fn conditional(mention: Node<'_>, role: Role) -> Option<Node<'_>> {
    let has_mention = |node: &Node<'_>| {
        node.condition()
            .is_some_and(|condition| condition == mention || mention.is_inside(condition))
    };
    mention
        .ancestors()
        .take(LEVELS)
        .filter(|node| node.has_role(role))
        .find(has_mention)
}

/// The call that is a statement by itself and contains the name.
fn statement_with(mention: Node<'_>) -> Option<Node<'_>> {
    mention
        .ancestors()
        .take(LEVELS)
        .find(|node| node.has_role(Role::Call) && is_statement(*node))
}

fn is_statement(call: Node<'_>) -> bool {
    call.parent()
        .is_some_and(|parent| parent.is(&["expression_statement"]))
}

/// Whether a branch only passes valid values.
fn guards(branch: Node<'_>, used: Node<'_>, kind: Kind) -> bool {
    let name = used.text();
    let Some(condition) = branch.condition() else {
        return false;
    };
    let tests_host = matches!(kind, Kind::Url | Kind::Redirect) && tests_host(condition);
    if !tests_host && !tests_content(condition) {
        return false;
    }
    if !used.is_inside(branch) {
        return branch
            .descendants()
            .any(|node| node.is_exit() || setting(node, name).is_some());
    }
    let Some(parts) = branch.branch().filter(|_| !used.is_inside(condition)) else {
        return true;
    };
    used.is_inside(parts.then) != (parts.negated ^ is_refusal(condition, tests_host))
}

/// Whether a condition is true for invalid values.
fn is_refusal(condition: Node<'_>, tests_host: bool) -> bool {
    if tests_host && condition.comparison().is_none() {
        return condition.negated().is_none();
    }
    let tests_for_bad = condition
        .all(Role::Text)
        .any(|text| text.text().contains(".."));
    let negative = condition.negated().is_some()
        || condition
            .binary()
            .is_some_and(|binary| matches!(binary.operator, "not in" | "!=" | "!=="));
    negative != tests_for_bad
}

/// Whether a condition tests whether a URL has a host.
fn tests_host(condition: Node<'_>) -> bool {
    let tested = condition.negated().unwrap_or(condition);
    let tested = tested.comparison().map_or(tested, |sides| sides.left);
    FOREIGN.iter().any(|part| tested.text().ends_with(part))
}

/// Whether a call is a statement by itself that throws for invalid values: `validate(name)`.
fn demands(table: &Table, node: Node<'_>, used: Node<'_>, name: &str) -> bool {
    let is_before = node
        .parent()
        .is_some_and(|statement| !used.is_inside(statement));
    let Some(call) = node
        .call()
        .filter(|call| is_before && table.sinks(call.name).is_empty())
    else {
        return false;
    };
    let called = call.name.to_ascii_lowercase();
    DEMANDS.iter().any(|demand| called.contains(demand))
        && call
            .arguments
            .iter()
            .flat_map(|argument| argument.names())
            .any(|part| part.text() == name)
}

fn tests_content(condition: Node<'_>) -> bool {
    let called = |node: Node<'_>| {
        let name = node.call().map(|call| call.name.to_ascii_lowercase());
        name.is_some_and(|name| TESTS.iter().any(|test| name.contains(test)))
    };
    let member = |node: Node<'_>| {
        node.binary()
            .is_some_and(|binary| matches!(binary.operator, "in" | "not in"))
    };
    let literal = |node: Node<'_>| node.string_value().is_some_and(|text| !text.is_empty());
    let equal = |node: Node<'_>| {
        node.comparison()
            .is_some_and(|sides| literal(sides.left) || literal(sides.right))
    };
    condition.all(Role::Call).any(called)
        || condition
            .all(Role::Binary)
            .any(|node| member(node) || equal(node))
}
