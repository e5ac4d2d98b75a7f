//! The last assignment to a C or C++ variable before a use, if it always happens before that use.

use crate::language::Role;
use crate::tree::Node;

/// The value last assigned to a name before a use, unless another assignment may come between.
pub fn last_set(used: Node<'_>) -> Option<Node<'_>> {
    last_set_at(used).map(|(_, value)| value)
}

/// The assigned name, and the value.
pub(crate) fn last_set_at(used: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let function = used
        .enclosing(Role::Function)
        .filter(|_| used.is(&["identifier"]))?;
    let (tree, name) = (used.tree(), used.text());
    let changes = tree.places(changed);
    for node in changes
        .within(tree, name, function.index()..used.index())
        .rev()
    {
        match mention(node) {
            Mention::Reads => {}
            Mention::Changes => return None,
            Mention::Sets(value) if used.is_inside(value) => {}
            Mention::Sets(value) => {
                let later = |around: Node<'_>| {
                    let rest = node.index() + 1..around.inside().end;
                    around.index() < rest.end && changes.within(tree, name, rest).next().is_some()
                };
                let mut loops = used
                    .ancestors()
                    .filter(|around| around.has_role(Role::Loop) && !node.is_inside(*around));
                return (dominates(node, used) && !loops.any(later)).then_some((node, value));
            }
        }
    }
    None
}

enum Mention<'t> {
    Reads,
    Sets(Node<'t>),
    Changes,
}

fn changed(name: Node<'_>) -> Option<Node<'_>> {
    Some(name).filter(|name| name.is(&["identifier"]) && is_change(*name))
}

fn is_change(node: Node<'_>) -> bool {
    !matches!(mention(node), Mention::Reads)
}

fn mention(node: Node<'_>) -> Mention<'_> {
    let mut inner = node;
    for around in node.ancestors().take(4) {
        match around.kind() {
            "pointer_declarator" | "reference_declarator" => {}
            "array_declarator" => return Mention::Changes,
            "init_declarator" if around.field("declarator") == Some(inner) => {
                return around
                    .field("value")
                    .map_or(Mention::Changes, Mention::Sets);
            }
            "assignment_expression" if around.field("left") == Some(inner) => {
                let is_plain = around
                    .field("operator")
                    .is_none_or(|operator| operator.text() == "=");
                let value = around.field("right").filter(|_| is_plain && inner == node);
                return value.map_or(Mention::Changes, Mention::Sets);
            }
            "declaration" | "parameter_declaration" | "update_expression" => {
                return Mention::Changes;
            }
            "pointer_expression" if around.text().starts_with('&') => return Mention::Changes,
            _ => return Mention::Reads,
        }
        inner = around;
    }
    Mention::Reads
}

/// Whether the block of the assignment encloses the use, or is a plain block of such a block.
fn dominates(set: Node<'_>, used: Node<'_>) -> bool {
    for around in set.ancestors() {
        if used.is_inside(around) {
            return !around.is(&["if_statement", "conditional_expression", "switch_statement"]);
        }
        let is_plain_block = around.is(&["compound_statement"])
            && around
                .parent()
                .is_some_and(|outer| outer.is(&["compound_statement"]));
        let is_transparent = around.is(&[
            "init_declarator", "pointer_declarator", "declaration", "assignment_expression",
            "expression_statement", "parenthesized_expression", "comma_expression",
        ]);
        if !is_plain_block && !is_transparent {
            return false;
        }
    }
    false
}

/// A value without casts and parentheses around it.
pub fn uncast(node: Node<'_>) -> Node<'_> {
    let mut node = node.unparenthesised();
    while node.is(&["cast_expression"]) {
        let Some(inner) = node.field("value") else {
            break;
        };
        node = inner.unparenthesised();
    }
    node
}
