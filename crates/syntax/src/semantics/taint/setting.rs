//! Assignments to a variable, and other ways to change it.

use std::ops::Range;

use super::inserted::writes_first;
use crate::language::Role;
use crate::tree::{Node, Tree};

/// How far before a use of a variable its assignments are searched for, in nodes: a few hundred lines.
const WINDOW: usize = 2_500;

/// Methods that add something to their receiver.
const ADDERS: &[&str] = &[
    "append", "add", "push", "extend", "put", "insert", "unshift", "addAll", "addElement",
    "concat", "offer", "Append", "Add", "AppendFormat", "AppendLine", "WriteString",
];

/// Methods that fill their argument from their receiver.
const FILLERS: &[&str] = &[
    "read", "readFully", "readNBytes", "readBytes", "Read", "ReadAsync",
];

/// A place where a variable gets a value or an element.
pub(super) struct Setting<'t> {
    pub(super) node: Node<'t>,
    pub(super) value: Node<'t>,
    /// It replaces the previous value.
    pub(super) replaces: bool,
}

/// How many levels of nodes above a name are searched for the assignment.
const LEVELS: usize = 8;

/// The nodes of a scope before a use, as far as they are near.
pub(super) fn before(scope: Node<'_>, used: Node<'_>) -> Range<usize> {
    (scope.index() + 1).max(used.index().saturating_sub(WINDOW))..used.index()
}

/// The assignments to a variable in a range of the document.
pub(super) fn settings<'t>(
    tree: &'t Tree<'t>,
    name: &str,
    range: Range<usize>,
) -> impl Iterator<Item = Setting<'t>> {
    tree.places(set_by)
        .within(tree, name, range)
        .filter_map(move |node| setting(node, name))
}

fn set_by(mention: Node<'_>) -> Option<Node<'_>> {
    mention
        .ancestors()
        .take(LEVELS)
        .find(|node| setting(*node, mention.text()).is_some())
}

/// The assignment that a node makes to a variable.
pub(super) fn setting<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    by_assignment(node, name)
        .or_else(|| by_loop(node, name))
        .or_else(|| by_call(node, name))
        .or_else(|| by_shift(node, name))
}

fn by_assignment<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let assignment = node.assignment()?;
    // In Kotlin's grammar, `val` is before the name.
    let target = if assignment.target.is(&["binding_pattern_kind", "modifiers"]) {
        node.child_of_kind(&["variable_declaration", "multi_variable_declaration"])?
    } else {
        assignment.target
    };
    let value = assignment.value;
    let is_it = |part: Node<'_>| part.has_role(Role::Name) && part.text() == name;
    if target.has_role(Role::Member) || target.has_role(Role::Index) {
        let base = target.named_children().next().is_some_and(is_it);
        return base.then_some(Setting {
            node,
            value,
            replaces: false,
        });
    }
    if let Some((_, value)) = pairs(target, value).find(|(target, _)| is_it(*target)) {
        return Some(Setting {
            node,
            value,
            replaces: matches!(assignment.operator, "=" | ":="),
        });
    }
    let hit = is_it(target) || (target.text().contains(name) && target.names().any(is_it));
    hit.then_some(Setting {
        node,
        value,
        replaces: matches!(assignment.operator, "=" | ":="),
    })
}

/// The targets and values of `a, b = c, d`.
fn pairs<'t>(target: Node<'t>, value: Node<'t>) -> impl Iterator<Item = (Node<'t>, Node<'t>)> {
    const LISTS: &[&str] = &[
        "expression_list", "pattern_list", "tuple_pattern", "tuple", "left_assignment_list",
        "right_assignment_list", "array_pattern", "array",
    ];
    let is_list = |node: Node<'_>| node.is(LISTS);
    let are_lists = is_list(target)
        && is_list(value)
        && target.named_children().count() == value.named_children().count();
    let zipped = target.named_children().zip(value.named_children());
    zipped.filter(move |_| are_lists)
}

fn by_loop<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    if !node.has_role(Role::Loop) {
        return None;
    }
    let range = |field: &str| node.child_of_kind(&["range_clause"])?.field(field);
    // PHP's `foreach` has no fields.
    let bare = |place: usize| {
        node.named_children()
            .nth(place)
            .filter(|_| node.is(&["foreach_statement"]))
    };
    let over = node
        .any_field(&["right", "value"])
        .or_else(|| range("right"))
        .or_else(|| bare(0))?;
    let each = node
        .any_field(&["left", "name", "pattern"])
        .or_else(|| range("left"))
        .or_else(|| bare(1))?;
    let hit = each.names().any(|part| part.text() == name);
    hit.then_some(Setting {
        node,
        value: over,
        replaces: true,
    })
}

/// `[… name … for name in value]`.
pub(super) fn by_comprehension<'t>(used: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let comprehensions = [
        "list_comprehension", "generator_expression", "set_comprehension",
        "dictionary_comprehension",
    ];
    let around = used
        .ancestors()
        .take(12)
        .filter(|node| node.is(&comprehensions));
    let clauses = around
        .flat_map(Node::children)
        .filter(|node| node.is(&["for_in_clause"]));
    let mut binding = clauses
        .filter(|clause| !used.is_inside(*clause))
        .filter_map(|clause| {
            let bound = clause
                .field("left")?
                .names()
                .any(|part| part.text() == name);
            Some(Setting {
                node: clause,
                value: clause.field("right").filter(|_| bound)?,
                replaces: true,
            })
        });
    binding.next()
}

fn by_call<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let call = node.call()?;
    if let Some(replaces) = writes_first(&call) {
        let buffer = call.arguments.first()?.text();
        return (buffer.trim_start_matches('&') == name).then_some(Setting {
            node,
            value: node,
            replaces,
        });
    }
    let call =
        Some(call).filter(|call| ADDERS.contains(&call.name) || FILLERS.contains(&call.name))?;
    if FILLERS.contains(&call.name) {
        call.arguments
            .iter()
            .find(|argument| argument.text() == name)?;
        return Some(Setting {
            node,
            value: call.receiver?,
            replaces: false,
        });
    }
    call.receiver.filter(|receiver| receiver.text() == name)?;
    Some(Setting {
        node,
        value: *call.arguments.last()?,
        replaces: false,
    })
}

/// Ruby's `list << value`.
fn by_shift<'t>(node: Node<'t>, name: &str) -> Option<Setting<'t>> {
    let shift = node
        .binary()
        .filter(|binary| binary.operator == "<<" && binary.left.text() == name)?;
    Some(Setting {
        node,
        value: shift.right,
        replaces: false,
    })
}
