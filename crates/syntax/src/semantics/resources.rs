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
    "argument", "await_expression", "await", "cast_expression", "as_expression", "expression_list",
    "non_null_expression", "parenthesized_expression", "pointer_expression",
    "reference_expression", "try_expression", "value_argument",
];
/// Declarations of new variables.
const DECLARATIONS: &[&str] = &[
    "init_declarator", "local_variable_declaration", "property_declaration",
    "short_var_declaration", "variable_declarator",
];

/// A resource in a variable of the function that opens it.
pub struct Opened<'t> {
    /// The variable.
    pub name: Node<'t>,
    /// The expression that opens it.
    pub value: Node<'t>,
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

/// The resource that a call of the change is the first to read, if its function opens it above.
pub fn first_read_by<'t>(call: &Call<'t>, node: Node<'t>) -> Option<Opened<'t>> {
    if !Row::of(node)?.borrows(call) {
        return None;
    }
    let function = node.enclosing_function()?;
    let name = call
        .arguments
        .iter()
        .find_map(|argument| handed_over(*argument).names().next())?;
    let mut mentions = mentions(function, name);
    let first = mentions.next()?;
    mentions
        .next()
        .filter(|second| second.is_inside(node) && second.touches_change())?;
    opened(first.enclosing(Role::Assign)?).filter(|opened| opened.name == first)
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
    !Duty { row, function }.ends(opened.name, ALIASES)
}

/// The mentions of a name in a function, in document order.
fn mentions<'t>(function: Node<'t>, name: Node<'t>) -> impl Iterator<Item = Node<'t>> {
    let tree = function.tree();
    tree.mentions()
        .within(tree, name.text(), function.inside())
        .filter(|own| own.has_role(Role::Name))
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

/// The duty to close a resource in a function.
struct Duty<'t> {
    row: &'static Row,
    function: Node<'t>,
}

impl<'t> Duty<'t> {
    /// Whether a mention of a name that holds the resource ends the duty.
    fn ends(&self, name: Node<'t>, aliases: u32) -> bool {
        mentions(self.function, name)
            .filter(|own| *own != name && !is_other(*own))
            .any(|own| {
                own.enclosing_function() != Some(self.function) || self.ends_with(own, aliases)
            })
    }

    /// Whether a use of the resource ends the duty.
    fn ends_with(&self, used: Node<'t>, aliases: u32) -> bool {
        let row = self.row;
        let Some((value, around)) = surroundings(used) else {
            return true;
        };
        if let Some(call) = around.call() {
            if call.receiver == Some(value) {
                return row.closes(call.name) || hands_out(row, around, call.name);
            }
            let is_argument = call
                .arguments
                .iter()
                .any(|argument| handed_over(*argument) == value || *argument == value);
            if is_argument {
                return self.is_kept_by(around, &call, aliases);
            }
        }
        if around.has_role(Role::Arguments) {
            let outer = around.parent();
            let outer = outer
                .filter(|outer| outer.is(&["call_suffix"]))
                .map_or(outer, Node::parent);
            let call = outer.and_then(|outer| Some((outer, outer.call()?)));
            return call.is_none_or(|(outer, call)| self.is_kept_by(outer, &call, aliases));
        }
        if around.has_role(Role::Member) {
            let member = around.last_name();
            if row.closes(member) {
                return true;
            }
            let called = around.parent().filter(|outer| {
                outer
                    .call()
                    .is_some_and(|call| call.receiver == Some(value))
            });
            return match called {
                Some(outer) => hands_out(row, outer, member),
                None => row.parts.contains(&member) && self.ends_with(around, aliases),
            };
        }
        if around.has_role(Role::Loop) {
            let body = around.any_field(&["body", "consequence"]);
            return body.is_some_and(|body| value.is_inside(body));
        }
        let is_set = around
            .assignment()
            .is_some_and(|set| bare(set.target) == value || value.is_inside(set.target));
        !(is_set || is_tested(value, around) || around.is(&["navigation_suffix"]))
    }

    /// Whether a call that gets the resource may keep or close it.
    fn is_kept_by(&self, node: Node<'t>, call: &Call<'t>, aliases: u32) -> bool {
        let is_view = self.row.views.contains(&call.callee);
        if self.row.borrows(call) && !is_view {
            return false;
        }
        !(is_view || self.row.wraps(call)) || self.ends_with_view(node, aliases)
    }

    /// Whether the use of a view, from which the resource is read later, ends the duty.
    fn ends_with_view(&self, view: Node<'t>, aliases: u32) -> bool {
        let Some((value, around)) = surroundings(view) else {
            return true;
        };
        if let Some(set) = around.assignment()
            && bare(set.value) == bare(value)
            && (around.is(DECLARATIONS) || self.row.declares_by_assignment)
            && let Some(name) = set.target.names().next()
            && let Some(aliases) = aliases.checked_sub(1)
        {
            return self.ends(name, aliases);
        }
        let call = around.call();
        let is_used_at_once = around.has_role(Role::Member)
            || around.has_role(Role::Loop)
            || call
                .as_ref()
                .is_some_and(|call| call.receiver == Some(value));
        let is_closed = around.has_role(Role::Member) && self.row.closes(around.last_name())
            || call.is_some_and(|call| self.row.closes(call.name));
        !is_used_at_once || is_closed
    }
}

/// Whether a value is only compared, tested or indexed by the node around it.
fn is_tested<'t>(value: Node<'t>, around: Node<'t>) -> bool {
    around.negated().is_some()
        || around.comparison().is_some()
        || around
            .condition()
            .is_some_and(|condition| condition.unparenthesised() == value)
        || around.is(&[
            "condition_clause", "unary_expression", "not_operator", "expression_statement",
        ])
        || around.has_role(Role::If)
        || around.has_role(Role::Index) && around.named_children().next() == Some(value)
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

/// Whether the result of a method may be the resource, or a part of it that closes it.
fn hands_out(row: &Row, call: Node<'_>, method: &str) -> bool {
    const PREFIXES: &[&str] = &[
        "get", "executeQuery", "as", "to", "into", "open", "stream", "iterator", "lines", "pipe",
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
                "resource", "resource_specification", "using_statement", "with_item",
            ]) || around.has_role(Role::Class)
                || around.has_role(Role::With)
                    && !assign.is_inside(around.field("body").unwrap_or(assign))
        })
}
