//! Where a name got its value, and whether it still has that value where it is used.

use crate::language::Role;
use crate::tree::{Node, binds};

/// The node that gave a name its value: the value of the nearest plain assignment before the use, or the function or
/// class with that name. Only statements of the enclosing blocks count.
pub(super) fn value_of(used: Node<'_>) -> Option<Node<'_>> {
    let name = used.text();
    let (mut inner, mut deferred) = (used, false);
    for around in used.ancestors() {
        match around.kind() {
            "lambda" | "function_definition" => {
                let is_default = inner.is(&["parameters", "lambda_parameters", "type"]);
                deferred |= !is_default;
            }
            "block" | "module" => {
                let is_class = around
                    .parent()
                    .is_some_and(|parent| parent.is(&["class_definition"]));
                if !(is_class && deferred) {
                    let found = last_value(around, name, (!deferred).then_some(inner), deferred);
                    if found.is_some() {
                        return found;
                    }
                }
            }
            _ => {}
        }
        inner = around;
    }
    None
}

/// The value of the last statement of a block that assigns a name, before another statement if one is given.
fn last_value<'t>(
    block: Node<'t>,
    name: &str,
    before: Option<Node<'t>>,
    deferred: bool,
) -> Option<Node<'t>> {
    let inside = block.inside();
    let limit = before.map_or(inside.end, Node::index);
    let statement = |name: Node<'t>| {
        name.ancestors()
            .take(3)
            .find(|around| around.parent() == Some(block))
    };
    let bindings = block.bindings_within(name, inside.start..limit).rev();
    bindings
        .filter_map(statement)
        .find_map(|statement| value_in(statement, name, deferred))
}

fn value_in<'t>(statement: Node<'t>, name: &str, deferred: bool) -> Option<Node<'t>> {
    match statement.kind() {
        "expression_statement" => {
            let inner = statement.named_children().next()?;
            if !inner.is(&["assignment"]) || inner.field("left")?.text() != name {
                return None;
            }
            // Another file may assign a name that is initially None.
            inner
                .field("right")
                .filter(|value| !(deferred && value.is(&["none"])))
        }
        "function_definition" | "class_definition" => {
            (statement.field("name")?.text() == name).then_some(statement)
        }
        _ => None,
    }
}

/// Whether a name has the value where it is used, on every path to the use.
pub(super) fn is_settled(used: Node<'_>, value: Node<'_>) -> bool {
    let name = used.text();
    let Some(top) = used.tree().root() else {
        return false;
    };
    let scope = scope_of(value, top);
    let deferred = scope_of(used, top) != scope;
    let end_of_value = value.descendants().last().unwrap_or(value).index();
    let is_definition = value.is(&["function_definition", "class_definition"]);
    let own_name = |node: Node<'_>| {
        if is_definition {
            value.field("name") == Some(node)
        } else {
            node.statement() == value.statement() && node.index() < value.index()
        }
    };
    top.bindings_of(name).all(|node| {
        if own_name(node) {
            return true;
        }
        if declares_outer(node) {
            return false;
        }
        let of = scope_of(node, top);
        if of != scope {
            // A name of another function is a different variable, unless that function encloses the use.
            return !used.is_inside(of) || scope.is_inside(of);
        }
        if deferred {
            return false;
        }
        let between = node.index() > end_of_value && node.index() < used.index();
        let around = |outer: Node<'_>| {
            outer.has_role(Role::Loop) && used.is_inside(outer) && !value.is_inside(outer)
        };
        !between && !node.ancestors().any(around)
    })
}

/// Whether a name is listed in `global` or `nonlocal`.
fn declares_outer(node: Node<'_>) -> bool {
    node.parent()
        .is_some_and(|parent| parent.is(&["global_statement", "nonlocal_statement"]))
}

/// The function, lambda, comprehension or file that the name belongs to.
fn scope_of<'t>(node: Node<'t>, top: Node<'t>) -> Node<'t> {
    const SCOPES: &[&str] = &[
        "function_definition", "lambda", "class_definition", "list_comprehension",
        "set_comprehension", "dictionary_comprehension", "generator_expression",
    ];
    let is_name_of = |around: Node<'_>, inner: Node<'_>| around.field("name") == Some(inner);
    let mut inner = node;
    for around in node.ancestors() {
        if around.is(SCOPES) && !is_name_of(around, inner) {
            // A default is evaluated in the scope around the function.
            if !inner.is(&["parameters"]) || binds(node) {
                return around;
            }
        }
        inner = around;
    }
    top
}

/// The literal that a value is, or that a name certainly refers to.
pub fn literal(node: Node<'_>) -> Option<Node<'_>> {
    if !node.is(&["identifier"]) {
        return Some(node);
    }
    value_of(node).filter(|value| is_settled(node, *value))
}
