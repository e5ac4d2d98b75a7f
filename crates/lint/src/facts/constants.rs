//! Members of types that other files read by the type's name: the cases of enums, and constants.

use std::collections::BTreeMap;

use syntax::language::Role;
use syntax::tree::{Node, Tree};

/// The minimum length of the name of a constant that is searched for.
const NAME: usize = 3;

/// The names of constants and enum cases, by the names of their types. A name that occurs twice in a type is omitted.
pub(super) fn constants<'t>(tree: &'t Tree<'t>) -> BTreeMap<(&'t str, &'t str), Node<'t>> {
    let mut found: BTreeMap<(&str, &str), Option<Node<'_>>> = BTreeMap::new();
    for name in tree.nodes().filter_map(constant) {
        let text = name.text();
        let is_wanted = text.len() >= NAME && text.is_ascii() && !text.starts_with('_');
        let Some(owner) = owner(name).filter(|_| is_wanted) else {
            continue;
        };
        found
            .entry((owner, text))
            .and_modify(|known| *known = None)
            .or_insert(Some(name));
    }
    let once = |(key, name): (_, Option<_>)| Some((key, name?));
    found.into_iter().filter_map(once).collect()
}

/// The names of the types of a file.
pub(super) fn types<'t>(tree: &'t Tree<'t>) -> impl Iterator<Item = &'t str> {
    tree.nodes()
        .filter(|node| is_type(*node))
        .filter_map(type_name)
}

/// The name of the constant that a node declares.
fn constant(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "enum_constant" | "enum_member_declaration" | "enum_case" | "enum_variant" => {
            node.field("name")
        }
        "enum_entry" => node.child_of_kind(&["simple_identifier"]),
        "const_element" => {
            let is_private = node
                .parent()
                .and_then(|around| around.child_of_kind(&["visibility_modifier"]))
                .is_some_and(|modifier| modifier.text() == "private");
            node.named_children().next().filter(|_| !is_private)
        }
        // Python and Ruby.
        "assignment" => {
            let name = node
                .field("left")
                .filter(|left| left.is(&["identifier", "constant"]))?;
            let body = node
                .ancestors()
                .find(|around| !around.is(&["expression_statement"]))?;
            let is_upper = name
                .text()
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
            let in_class = body
                .parent()
                .is_some_and(|class| is_type(class) && body.is(&["block", "body_statement"]));
            (is_upper && in_class).then_some(name)
        }
        _ => None,
    }
}

/// The name of the type around a member.
fn owner(name: Node<'_>) -> Option<&str> {
    let around = name
        .ancestors()
        .skip(1)
        .find(|around| is_type(*around) || around.has_role(Role::Function))?;
    type_name(around).filter(|_| is_type(around))
}

fn is_type(node: Node<'_>) -> bool {
    node.has_role(Role::Class)
        || node.is(&[
            "enum_declaration",
            "enum_item",
            "interface_declaration",
            "trait_declaration",
            "module",
        ]) && node.parent().is_some()
}

/// The name of a type, or of the type that an `impl` is for.
pub(super) fn type_name(node: Node<'_>) -> Option<&str> {
    let name = node
        .any_field(&["name", "type"])
        .or_else(|| node.child_of_kind(&["type_identifier", "simple_identifier", "identifier"]))?;
    Some(name.last_name())
}
