//! The type of an expression of JavaScript or TypeScript, as far as the file itself shows it: literals, written types,
//! declarations of the file, and a few calls with well-known results.
//!
//! The result is a list with one entry for each part of a union. [`Type::Unknown`] is an unknown part.

mod calls;
mod declarations;
mod expressions;
mod inference;
mod kind;
mod members;
mod written;

use crate::language::Role;
use crate::semantics::names::visible_root;
use crate::tree::Node;

pub use self::calls::{gives_value, is_async};
pub use self::declarations::{declared, may_declare};
use self::inference::Inference;
pub use self::kind::Type;

/// The types that an expression or a written type may have. Empty if the file is too large.
pub fn types(node: Node<'_>) -> Vec<Type<'_>> {
    if visible_root(node).is_none() {
        Vec::new()
    } else {
        Inference::new().read(node)
    }
}

/// The types that a call of a function may return.
pub fn returned(function: Node<'_>) -> Vec<Type<'_>> {
    Inference::of_result().returned(function)
}

/// The type of an expression, if there is only one and it is known.
pub fn only_type(node: Node<'_>) -> Option<Type<'_>> {
    let all = types(node);
    let first = *all.first()?;
    (all.iter().all(|other| *other == first) && !matches!(first, Type::Unknown | Type::Any))
        .then_some(first)
}

/// Whether the function tests the type of a name, or of the object that it belongs to. Then its union may be narrowed
/// where it is used.
pub fn is_narrowed(node: Node<'_>) -> bool {
    let Some(name) = node
        .leaves()
        .find(|leaf| leaf.is(&["identifier", "this"]))
        .map(Node::text)
    else {
        return true;
    };
    let around = node
        .ancestors()
        .filter(|outer| outer.has_role(Role::Function) || outer.has_role(Role::Lambda))
        .last();
    let Some(place) = around.or_else(|| node.ancestors().last()) else {
        return true;
    };
    let text = place.text();
    let tests = [
        format!("typeof {name}"),
        format!("{name} instanceof"),
        format!("({name})"),
        format!("in {name}"),
        format!("!{name}"),
        format!("{name} ="),
        format!("{name} !"),
        format!("{name} &&"),
    ];
    tests.iter().any(|test| text.contains(test.as_str()))
}
