//! Functions of a file that a call in it certainly refers to, with their parameters.

use super::exports::{is_decorated, python_parameters, script_parameters};
use super::parameters::Parameters;
use super::{DefKind, Symbols};
use crate::language::Role;
use crate::tree::Node;

/// The parameters of the only function of a whole file that a call of TypeScript refers to by its name.
#[must_use]
pub fn script_function(call: Node<'_>) -> Option<Parameters> {
    let tree = call.tree();
    let function = call
        .any_field(&["function", "constructor"])
        .filter(|function| tree.is_readable_file() && function.is(&["identifier"]))?;
    let symbol = Symbols::of(tree)?
        .of_use(function)
        .filter(|symbol| symbol.kind == DefKind::Function)?;
    let mut definitions = symbol.definitions(tree);
    let name = definitions
        .next()
        .filter(|_| definitions.next().is_none())?;
    let definition = name.parent().filter(|around| around.is_usable())?;
    Some(script_parameters(definition)?.1)
}

/// The parameters of the method in a call of `self.method`, in a whole file of Python and a class that has no other bases.
#[must_use]
pub fn own_method(call: Node<'_>) -> Option<Parameters> {
    let tree = call.tree();
    let function = call
        .field("function")
        .filter(|function| tree.is_readable_file() && function.is(&["attribute"]))?;
    let method = function.field("attribute")?;
    let object = function.field("object")?;
    let around = function.enclosing(Role::Function)?;
    let class = around.enclosing(Role::Class)?;
    let is_method = around
        .field("parameters")?
        .named_children()
        .next()
        .is_some_and(|first| first.text() == object.text());
    if object.text() != "self" || !is_method || !is_alone(class) {
        return None;
    }
    // Another definition, or an attribute with this name, can replace the method.
    let is_read = |name: Node<'_>| {
        name.parent()
            .is_some_and(|around| around.is(&["attribute"]) && around.own_field() != "left")
    };
    let mut others = tree
        .mentions()
        .within(tree, method.text(), class.inside())
        .filter(|name| !is_read(*name));
    let name = others.next().filter(|_| others.next().is_none())?;
    let definition = name.parent().filter(|around| {
        around.is(&["function_definition"])
            && around.is_usable()
            && around.parent().and_then(Node::parent) == Some(class)
    })?;
    python_parameters(definition)?.1.without_first()
}

/// Whether a class of Python has no bases and no decorators, which can replace its methods.
fn is_alone(class: Node<'_>) -> bool {
    let mut bases = class
        .field("superclasses")
        .into_iter()
        .flat_map(Node::named_children);
    bases.all(|base| base.text() == "object") && class.is_usable() && !is_decorated(class)
}
