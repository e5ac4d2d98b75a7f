//! The constructors of a type, as other files call them: by the name of the type.

use syntax::language::Role;
use syntax::tree::Node;

use super::function_header::{FunctionHeader, heads_within};
use super::members::name_of_type;

/// The constructors that a type declares and that other files may call. Empty in languages in which they are called
/// by another name, or imported.
pub(super) fn constructors<'t>(class: Node<'t>) -> Vec<FunctionHeader<'t>> {
    let Some(name) = name_of_type(class) else {
        return Vec::new();
    };
    let language = class.tree().grammar().name();
    let primary = match language {
        "Java" => class
            .field("parameters")
            .filter(|_| class.is(&["record_declaration"])),
        "C#" => class.child_of_kind(&["parameter_list"]),
        "Kotlin" => class.child_of_kind(&["primary_constructor"]),
        "PHP" => None,
        _ => return Vec::new(),
    };
    let primary = primary.map(|parameters| FunctionHeader {
        name,
        place: name,
        parameters: Some(parameters),
        whole: class,
    });
    let others = heads_within(class).filter(|head| {
        let is_own = head.whole.enclosing(Role::Class) == Some(class);
        let is_constructor = match language {
            "PHP" => head.place.text() == "__construct",
            _ => head.whole.is(&["constructor_declaration"]),
        };
        is_own && is_constructor
    });
    // Kotlin's have no name.
    let secondary = class.descendants().filter_map(|node| {
        let parameters = node.child_of_kind(&["function_value_parameters"])?;
        let is_own =
            node.is(&["secondary_constructor"]) && node.enclosing(Role::Class) == Some(class);
        is_own.then_some(FunctionHeader {
            name,
            place: name,
            parameters: Some(parameters),
            whole: node,
        })
    });
    primary
        .into_iter()
        .chain(others)
        .chain(secondary)
        .filter(|head| head.parameters.is_some_and(Node::is_usable) && !is_private(*head))
        .collect()
}

fn is_private(head: FunctionHeader<'_>) -> bool {
    let is_of_class = head.whole.has_role(Role::Class);
    let around = head
        .parameters
        .filter(|_| is_of_class)
        .unwrap_or(head.whole);
    let first = around.leaves().take(8);
    first
        .take_while(|leaf| !matches!(leaf.text(), "(" | "{"))
        .any(|leaf| leaf.text() == "private")
}
