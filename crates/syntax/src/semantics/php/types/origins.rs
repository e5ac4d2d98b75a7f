//! Where the value of a variable comes from.

use crate::language::Role;
use crate::semantics::names;
use crate::tree::Node;

use super::mentions::{Mention, Origin, mention};

/// The last assignment before a use, if it always happens and nothing else can come between.
pub(super) fn origin(used: Node<'_>) -> Option<Origin<'_>> {
    let name = used.text();
    if name == "$this" || name == "$GLOBALS" {
        return None;
    }
    let scope = scope(used)?;
    let tree = used.tree();
    let changes = |range| tree.places(changing).within(tree, name, range);
    let mut set = None;
    for node in changes(scope.index()..used.index()).rev() {
        if self::scope(node) != Some(scope) {
            if is_shared(node) {
                return None;
            }
            continue;
        }
        match mention(node) {
            Mention::Reads => {}
            Mention::SetsSomehow => return None,
            Mention::Sets(_)
                if around_assignment(node).is_some_and(|whole| used.is_inside(whole)) => {}
            Mention::Sets(found) if dominates(node, used) => {
                set = Some((node, found));
                break;
            }
            Mention::Sets(_) => return None,
        }
    }
    let (at, found) = set?;
    if tree.index().includes_file(at.index()..used.index()) {
        return None;
    }
    let is_global = scope.parent().is_none();
    let is_loop = |around: &Node<'_>| {
        let turns = around.field("body").is_some_and(|body| at.is_inside(body));
        around.has_role(Role::Loop) && !turns
    };
    let reset =
        |around: Node<'_>| changes(at.index() + 1..around.inside().end).any(|node| node != used);
    if used
        .ancestors()
        .take_while(|around| *around != scope)
        .filter(is_loop)
        .any(reset)
    {
        return None;
    }
    if is_global {
        names::visible_root(used)?;
        if tree
            .places(shared_by)
            .within(tree, name, 0..usize::MAX)
            .next()
            .is_some()
        {
            return None;
        }
    }
    Some(found)
}

/// The variable, if this occurrence does more than read it.
fn changing(name: Node<'_>) -> Option<Node<'_>> {
    Some(name)
        .filter(|name| name.is(&["variable_name"]) && !matches!(mention(*name), Mention::Reads))
}

/// The variable, if this occurrence is in a `global` declaration.
fn shared_by(name: Node<'_>) -> Option<Node<'_>> {
    let declared = || {
        name.ancestors()
            .take(2)
            .any(|around| around.is(&["global_declaration"]))
    };
    Some(name).filter(|name| name.is(&["variable_name"]) && declared())
}

/// The function that the variable belongs to, or the whole text.
fn scope(used: Node<'_>) -> Option<Node<'_>> {
    let mut last = None;
    for around in used.ancestors() {
        if around.is(&[
            "function_definition", "method_declaration", "anonymous_function",
        ]) {
            return Some(around);
        }
        if around.is(&[
            "arrow_function", "class_declaration", "namespace_definition", "ERROR",
        ]) {
            return None;
        }
        last = Some(around);
    }
    last
}

/// Whether an inner function captures it by reference.
fn is_shared(node: Node<'_>) -> bool {
    node.parent().is_some_and(|around| around.is(&["by_ref"]))
}

fn around_assignment(node: Node<'_>) -> Option<Node<'_>> {
    node.ancestors()
        .take(3)
        .find(|around| around.has_role(Role::Assign))
}

/// Whether it always happens before the use: the block that it is in encloses the use.
fn dominates(set: Node<'_>, used: Node<'_>) -> bool {
    for around in set.ancestors() {
        if used.is_inside(around) {
            const BRANCHES: &[&str] = &[
                "binary_expression", "conditional_expression", "if_statement", "else_if_clause",
                "try_statement",
            ];
            let first = around.any_field(&["condition", "left"]);
            return !around.is(BRANCHES) || first.is_some_and(|first| set.is_inside(first));
        }
        let stops = around.is(&[
            "compound_statement", "colon_block", "if_statement", "else_if_clause", "else_clause",
            "case_statement", "default_statement", "for_statement", "foreach_statement",
            "while_statement", "try_statement", "catch_clause", "conditional_expression",
            "match_conditional_expression",
        ]);
        let is_and = around.is(&["binary_expression"]);
        if stops || is_and {
            return false;
        }
    }
    false
}
