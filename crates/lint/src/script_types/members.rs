//! What a part of an object is.

use crate::grammar::Role;
use crate::node::Node;

use super::Type;
use super::calls::returned;
use super::expressions::read;

/// What a part of an object is.
pub(super) fn member(node: Node<'_>, depth: u32) -> Vec<Type<'_>> {
    let Some(object) = node.field("object") else { return vec![Type::Unknown] };
    let of = read(object, depth - 1);
    if node.is(&["subscript_expression"]) {
        let parts = of.into_iter().flat_map(|one| match one {
            Type::Array(Some(element)) if !element.is(&["spread_element"]) => read(element, depth - 1),
            Type::Null => vec![Type::Null],
            _ => vec![Type::Unknown],
        });
        return parts.collect();
    }
    let name = node.field("property").map_or("", |name| name.text());
    let parts = of.into_iter().flat_map(|one| match one {
        Type::Object(Some(of)) | Type::Instance(Some(of)) => property(of, name, depth),
        Type::Array(_) | Type::Text if name == "length" => vec![Type::Number],
        Type::Null => vec![Type::Null],
        _ => vec![Type::Unknown],
    });
    parts.collect()
}

fn property<'t>(of: Node<'t>, name: &str, depth: u32) -> Vec<Type<'t>> {
    let body = of.field("body").unwrap_or(of);
    let is_named = |part: &Node<'_>| part.any_field(&["name", "property", "key"]).is_some_and(|own| own.text() == name);
    let mut found = body.named_children().filter(is_named);
    let (Some(only), None) = (found.next(), found.next()) else { return vec![Type::Unknown] };
    let words = |word: &str| only.children().any(|child| child.text() == word && child.is_leaf());
    let mut all = match only.kind() {
        "method_definition" if words("get") => returned(only, depth - 1),
        "method_definition" | "method_signature" => vec![Type::Function(only)],
        "pair" => only.field("value").map_or_else(|| vec![Type::Unknown], |value| read(value, depth - 1)),
        _ => match (only.field("type"), only.field("value")) {
            (Some(written), _) => read(written, depth - 1),
            (None, Some(value)) if words("readonly") || value.has_role(Role::Lambda) => read(value, depth - 1),
            _ => vec![Type::Unknown],
        },
    };
    if words("?") {
        all.push(Type::Null);
    }
    all
}
