//! The visible functions and classes.

use crate::language::Role;
use crate::semantics::names;
use crate::tree::Node;

/// The only visible function with this name.
pub(crate) fn own_function<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    names::visible_root(used)?;
    names::only_function(used, name).filter(|own| own.is(&["function_definition"]))
}

/// The only visible class or interface with this name.
pub fn only_class<'t>(used: Node<'t>, name: &str) -> Option<Node<'t>> {
    names::visible_root(used)?;
    let tree = used.tree();
    let mut found = tree.places_in_any_case(class_of_name).within(
        tree,
        &name.to_ascii_lowercase(),
        0..usize::MAX,
    );
    match (found.next(), found.next()) {
        (Some(only), None) => Some(only).filter(|only| only.is_usable()),
        _ => None,
    }
}

fn class_of_name(name: Node<'_>) -> Option<Node<'_>> {
    name.parent()
        .filter(|class| class.has_role(Role::Class) && class.field("name") == Some(name))
}

/// The name by which the file can define the class that a name refers to: its last part. If it refers to a class of another
/// namespace, this is all of the written name, which no class of the file has.
pub(crate) fn name_here(name: Node<'_>) -> &str {
    let text = name.text();
    let Some((qualifier, last)) = text.rsplit_once('\\') else {
        return text;
    };
    let own = namespace(name).unwrap_or_default();
    let is_same = |full: &str| full.eq_ignore_ascii_case(own);
    let is_here = match qualifier.strip_prefix('\\') {
        Some(full) => is_same(full),
        // The statement that names the namespace may be above the hunk.
        None if qualifier.is_empty() => own.is_empty() && name.tree().is_whole(),
        None => qualifier.eq_ignore_ascii_case("namespace"),
    };
    if is_here { last } else { text }
}

/// The namespace of a place: the one of the block around it, or of the last statement before it.
fn namespace(at: Node<'_>) -> Option<&str> {
    let definition = at
        .ancestors()
        .find(|around| around.is(&["namespace_definition"]))
        .or_else(|| {
            let root = at.tree().root()?;
            let before = |part: &Node<'_>| {
                part.is(&["namespace_definition"])
                    && part.field("body").is_none()
                    && part.index() < at.index()
            };
            root.named_children().filter(before).last()
        })?;
    definition.field("name").map(Node::text)
}

/// The names of all ancestors of a visible class; `None` if some of them are not visible.
pub fn family<'t>(at: Node<'t>, class: &str) -> Option<Vec<&'t str>> {
    let mut open = vec![only_class(at, class)?];
    let mut names = Vec::new();
    while let Some(class) = open.pop() {
        if names.len() > 20 {
            return None;
        }
        for clause in class
            .children()
            .filter(|part| part.is(&["base_clause", "class_interface_clause"]))
        {
            for parent in clause.named_children() {
                let name = name_here(parent);
                names.push(name);
                open.push(only_class(at, name)?);
            }
        }
    }
    Some(names)
}

/// Whether the class and all its ancestors are visible, and none of them can be used as an array.
pub fn is_no_array(at: Node<'_>, class: &str) -> bool {
    !class.is_empty()
        && family(at, class).is_some_and(|names| !names.iter().any(|name| name.contains("Array")))
}
