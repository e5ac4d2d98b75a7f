//! The members of a class of the file.

use super::bindings::{is_settled, value_of};
use crate::tree::Node;

/// Maximum number of names to follow until one is known as the name of a class.
const ALIASES: usize = 5;

/// Whether a class of this file defines a member, itself or through its bases; `None` if a base is unknown.
pub fn class_has(class: Node<'_>, member: &str, depth: u32) -> Option<bool> {
    let is_decorated = class.parent().is_some_and(|parent| {
        parent.is(&["decorated_definition"])
            && parent
                .children()
                .any(|child| child.is(&["decorator"]) && !child.text().starts_with("@dataclass"))
    });
    if depth == 0
        || is_decorated
        || !class.is_usable()
        || is_cut(class)
        || class.field("type_parameters").is_some()
    {
        return None;
    }
    let body = class.field("body")?;
    if !member.is_empty() && body.named_children().any(|inner| defines(inner, member)) {
        return Some(true);
    }
    for base in class
        .field("superclasses")
        .into_iter()
        .flat_map(Node::named_children)
    {
        if !base.is(&["identifier"]) {
            return None;
        }
        if base.text() == "object" || is_exception(base.text()) {
            continue;
        }
        let parent = class_of(base)?;
        if parent == class || class_has(parent, member, depth - 1)? {
            return Some(true);
        }
    }
    Some(false)
}

/// The class that a name certainly refers to.
fn class_of(name: Node<'_>) -> Option<Node<'_>> {
    let mut used = name;
    for _ in 0..ALIASES {
        let value = value_of(used).filter(|value| used.is_usable() && is_settled(used, *value))?;
        if value.is(&["class_definition"]) {
            return Some(value);
        }
        used = Some(value.unparenthesised()).filter(|value| value.is(&["identifier"]))?;
    }
    None
}

/// Whether a definition is the last visible code: the rest of it may be after the end of the hunk.
pub(crate) fn is_cut(definition: Node<'_>) -> bool {
    let mut inner = definition;
    for around in definition.ancestors() {
        let is_list = around.is(&["block", "module"]);
        if is_list && around.named_children().last() != Some(inner) {
            return false;
        }
        inner = around;
    }
    true
}

/// Whether a statement of a class body defines a member.
fn defines(statement: Node<'_>, member: &str) -> bool {
    match statement.kind() {
        "function_definition" | "class_definition" => statement
            .field("name")
            .is_some_and(|name| name.text() == member),
        "decorated_definition" => statement
            .field("definition")
            .is_some_and(|inner| defines(inner, member)),
        "expression_statement" => statement.names().any(|name| name.text() == member),
        _ => statement
            .descendants()
            .any(|inner| inner.is(&["identifier"]) && inner.text() == member),
    }
}

/// Whether a name is that of a built-in exception.
pub fn is_exception(name: &str) -> bool {
    matches!(
        name,
        "BaseException" | "Exception" | "StopIteration" | "KeyboardInterrupt" | "SystemExit"
    ) || (name.ends_with("Error")
        && matches!(
            name.trim_end_matches("Error"),
            "Value"
                | "Type"
                | "Key"
                | "Index"
                | "Attribute"
                | "Runtime"
                | "OS"
                | "IO"
                | "Lookup"
                | "Arithmetic"
                | "ZeroDivision"
                | "Overflow"
                | "Assertion"
                | "Import"
                | "Name"
                | "NotImplemented"
                | "Syntax"
                | "Memory"
                | "EOF"
                | "Unicode"
                | "FileNotFound"
                | "Permission"
                | "Timeout"
                | "Connection"
        ))
}
