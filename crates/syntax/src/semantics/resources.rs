//! Resources that a function opens: files, connections, handles, memory.
//!
//! The duty to close one ends when it is closed, or passed to code that may close it: returned, stored, captured by a closure, given
//! to an unknown function. Reading, comparing and lending it to a function that is known to give it back do not end the duty.

mod table;

use self::table::{Opener, Row};
use super::names::{handed_over, is_small};
use crate::language::Role;
use crate::tree::{Call, Node};

/// Maximum number of names that one resource is followed through.
const ALIASES: u32 = 3;
/// Nodes that do not change a value.
const TRANSPARENT: &[&str] = &[
    "argument",
    "await_expression",
    "await",
    "cast_expression",
    "as_expression",
    "expression_list",
    "non_null_expression",
    "parenthesized_expression",
    "pointer_expression",
    "reference_expression",
    "try_expression",
    "value_argument",
];
/// Declarations of new variables.
const DECLARATIONS: &[&str] = &[
    "init_declarator",
    "local_variable_declaration",
    "property_declaration",
    "short_var_declaration",
    "variable_declarator",
];

/// A resource in a variable of the function that opens it.
pub struct Opened<'t> {
    /// The variable.
    pub name: Node<'t>,
    /// The expression that opens it.
    pub value: Node<'t>,
}

/// The effect of a mention on the duty to close a resource.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fate {
    StaysOpen,
    Ends,
}

/// The resource that an assignment puts into a local variable; `None` if a construct of the language closes it.
pub fn opened(assign: Node<'_>) -> Option<Opened<'_>> {
    let row = Row::of(assign)?;
    let set = assign.assignment()?;
    let value = bare(set.value);
    if !opens(row, value) || is_closed_by_construct(assign) {
        return None;
    }
    let is_plain =
        row.declares_by_assignment && set.target.has_role(Role::Name) && set.operator == "=";
    if !assign.is(DECLARATIONS) && !is_plain {
        return None;
    }
    // In Kotlin, the declaration of the variable follows `val`.
    let target = assign
        .child_of_kind(&["variable_declaration"])
        .unwrap_or(set.target);
    let name = target.names().next()?;
    (name.text() != "_").then_some(Opened { name, value })
}

/// The resource that a call reads, if its function opens it above.
pub fn read_by<'t>(call: &Call<'t>, node: Node<'t>) -> Option<Opened<'t>> {
    let row = Row::of(node)?;
    if !row.borrows(call) {
        return None;
    }
    let function = node.enclosing_function()?;
    let name = call
        .arguments
        .iter()
        .find_map(|argument| handed_over(*argument).names().next())?;
    function
        .all(Role::Assign)
        .take_while(|assign| assign.index() < node.index())
        .filter_map(opened)
        .find(|opened| opened.name.text() == name.text())
}

/// Whether nothing in the function ends the duty to close a resource. False if a part of the function is not visible.
pub fn stays_open(opened: &Opened<'_>) -> bool {
    let function = opened.name.enclosing_function();
    let Some(function) = function
        .filter(|function| function.is_usable() && function.is_complete() && is_small(*function))
    else {
        return false;
    };
    let Some(row) = Row::of(function) else {
        return false;
    };
    follow(row, function, opened.name, ALIASES) == Fate::StaysOpen
}

/// The fate of what a name holds.
fn follow<'t>(row: &Row, function: Node<'t>, name: Node<'t>, aliases: u32) -> Fate {
    let mentions = function
        .names()
        .filter(|own| own.text() == name.text() && *own != name && !is_other(*own));
    let ends = |own: Node<'t>| {
        own.enclosing_function() != Some(function)
            || fate(row, function, own, aliases) == Fate::Ends
    };
    if mentions.into_iter().any(ends) {
        Fate::Ends
    } else {
        Fate::StaysOpen
    }
}

/// Whether a name is that of a member, of a key or of a named argument.
fn is_other(name: Node<'_>) -> bool {
    let Some(around) = name.parent() else {
        return false;
    };
    let is_member = around.has_role(Role::Member)
        && around.receiver() != Some(name)
        && around.named_children().next() != Some(name);
    let is_called = around.has_role(Role::Call)
        && around.any_field(&["name", "method"]) == Some(name)
        && around.call().is_some_and(|call| call.receiver.is_some());
    let is_key = around.is(&["keyword_argument", "pair", "keyed_element"])
        && around.named_children().next() == Some(name);
    is_member || is_called || is_key
}

fn fate<'t>(row: &Row, function: Node<'t>, used: Node<'t>, aliases: u32) -> Fate {
    let Some((value, around)) = surroundings(used) else {
        return Fate::Ends;
    };
    let ends = |ends: bool| if ends { Fate::Ends } else { Fate::StaysOpen };
    if let Some(call) = around.call() {
        if call.receiver == Some(value) {
            return ends(row.ends_with(call.name) || hands_out(row, around, call.name));
        }
        let is_argument = call
            .arguments
            .iter()
            .any(|argument| handed_over(*argument) == value || *argument == value);
        if is_argument {
            return lent(row, function, around, &call, aliases);
        }
    }
    if around.has_role(Role::Arguments) {
        let Some(outer) = around.parent() else {
            return Fate::Ends;
        };
        let outer = if outer.is(&["call_suffix"]) {
            outer.parent().unwrap_or(outer)
        } else {
            outer
        };
        return match outer.call() {
            Some(call) => lent(row, function, outer, &call, aliases),
            None => Fate::Ends,
        };
    }
    if around.has_role(Role::Member) {
        let member = around.last_name();
        if row.ends_with(member) {
            return Fate::Ends;
        }
        let called = around.parent().filter(|outer| {
            outer
                .call()
                .is_some_and(|call| call.receiver == Some(value))
        });
        if let Some(outer) = called {
            return ends(hands_out(row, outer, member));
        }
        return if row.parts.contains(&member) {
            fate(row, function, around, aliases)
        } else {
            Fate::StaysOpen
        };
    }
    if around.is(&["navigation_suffix"]) {
        return Fate::StaysOpen;
    }
    if around.has_role(Role::Loop) {
        let body = around.any_field(&["body", "consequence"]);
        return ends(body.is_some_and(|body| value.is_inside(body)));
    }
    let is_set = around
        .assignment()
        .is_some_and(|set| bare(set.target) == value || value.is_inside(set.target));
    let is_tested = around.negated().is_some()
        || around.comparison().is_some()
        || around
            .condition()
            .is_some_and(|condition| condition.unparenthesised() == value)
        || around.is(&[
            "condition_clause",
            "unary_expression",
            "not_operator",
            "expression_statement",
        ])
        || around.has_role(Role::If)
        || around.has_role(Role::Index) && around.named_children().next() == Some(value);
    ends(!(is_set || is_tested))
}

/// A value with what does not change it, and the node around both.
fn surroundings<'t>(used: Node<'t>) -> Option<(Node<'t>, Node<'t>)> {
    let mut value = used;
    loop {
        let around = value.parent()?;
        let is_target = around.is(&["expression_list"])
            && around
                .parent()
                .is_some_and(|outer| outer.field("left") == Some(around));
        if is_target || !around.is(TRANSPARENT) {
            let around = if is_target { around.parent()? } else { around };
            return Some((value, around));
        }
        value = around;
    }
}

/// The fate of a resource that is an argument of a call.
fn lent<'t>(row: &Row, function: Node<'t>, node: Node<'t>, call: &Call<'t>, aliases: u32) -> Fate {
    if row.borrows(call) {
        // The result of a reader of the resource is a part of it.
        return through(
            row,
            function,
            node,
            aliases,
            row.views.contains(&call.callee),
        );
    }
    if row.wraps(call) {
        return through(row, function, node, aliases, true);
    }
    Fate::Ends
}

/// The fate of a resource that a call has used. `is_view`: what the call returns reads from it.
fn through<'t>(row: &Row, function: Node<'t>, node: Node<'t>, aliases: u32, is_view: bool) -> Fate {
    if !is_view {
        return Fate::StaysOpen;
    }
    let Some((value, around)) = surroundings(node) else {
        return Fate::Ends;
    };
    if let Some(set) = around.assignment()
        && bare(set.value) == bare(value)
        && around.is(DECLARATIONS) | row.declares_by_assignment
        && let Some(name) = set.target.names().next()
        && let Some(aliases) = aliases.checked_sub(1)
    {
        return follow(row, function, name, aliases);
    }
    let is_used_at_once = around.has_role(Role::Member)
        || around
            .call()
            .is_some_and(|call| call.receiver == Some(value))
        || around.has_role(Role::Loop);
    let is_closed = around.has_role(Role::Member) && row.ends_with(around.last_name())
        || around.call().is_some_and(|call| row.ends_with(call.name));
    if is_used_at_once && !is_closed {
        Fate::StaysOpen
    } else {
        Fate::Ends
    }
}

/// Whether the result of a method may be the resource, or a part of it that closes it.
fn hands_out(row: &Row, call: Node<'_>, method: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "get",
        "executeQuery",
        "as",
        "to",
        "into",
        "open",
        "stream",
        "iterator",
        "lines",
        "pipe",
        "detach",
    ];
    let is_alone = call
        .parent()
        .is_some_and(|around| around.is(&["expression_statement"]));
    let returns_itself =
        PREFIXES.iter().any(|prefix| method.starts_with(prefix)) && !row.reads.contains(&method);
    returns_itself && !is_alone
}

/// The expression without parentheses, casts and `await`.
fn bare(value: Node<'_>) -> Node<'_> {
    let mut inner = value;
    while inner.is(TRANSPARENT) {
        let next = inner
            .field("value")
            .or_else(|| inner.named_children().last());
        match next {
            Some(next) if !inner.is(&["pointer_expression", "reference_expression"]) => {
                inner = next
            }
            _ => break,
        }
    }
    inner
}

fn opens(row: &Row, value: Node<'_>) -> bool {
    let Some(call) = value.call() else {
        return false;
    };
    let is_opener = |opener: &Opener| opener.matches(&call);
    row.openers.iter().any(is_opener)
        || row.wraps(&call)
            && call
                .arguments
                .first()
                .is_some_and(|inner| opens(row, bare(handed_over(*inner))))
}

/// Whether `with`, `using` or `try (…)` closes what an assignment opens.
fn is_closed_by_construct(assign: Node<'_>) -> bool {
    let statement = assign.statement().text();
    let mut around = assign.ancestors().take(4);
    statement.starts_with("using")
        || statement.starts_with("await using")
        || around.any(|around| {
            around.is(&[
                "resource",
                "resource_specification",
                "using_statement",
                "with_item",
            ]) || around.has_role(Role::Class)
                || around.has_role(Role::With)
                    && !assign.is_inside(around.field("body").unwrap_or(assign))
        })
}
