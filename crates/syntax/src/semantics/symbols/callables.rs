//! The functions of a file whose parameters are certain, for calls in the same file.

use super::exports::{constructor_of_python, is_decorated, python_parameters, script_parameters};
use super::parameters::{Parameters, Passed};
use super::{DefKind, Symbols};
use crate::language::Role;
use crate::tree::Node;

/// The target of a call: the name in the definition, and the parameters.
pub struct Callee<'t> {
    /// The name in its definition.
    pub name: Node<'t>,
    /// Its parameters.
    pub parameters: Parameters,
}

/// The function of the same file that a call certainly refers to; `None` if there is none, or if its parameters are
/// uncertain.
#[must_use]
pub fn callee(call: Node<'_>) -> Option<Callee<'_>> {
    let tree = call.tree();
    // Another definition or a decorator may be outside a hunk.
    if !tree.is_readable_file() {
        return None;
    }
    let function = call.any_field(&["function", "constructor"])?;
    match tree.grammar().name() {
        "Python" if function.is(&["identifier"]) => by_name(function),
        "Python" => of_own_class(function),
        "TypeScript" | "TSX" if function.is(&["identifier"]) => by_name(function),
        _ => None,
    }
}

/// The arguments of a call, if they are all known.
#[must_use]
pub fn passed(call: Node<'_>) -> Option<Passed> {
    let list = call
        .field("arguments")
        .filter(|list| list.is(&["argument_list", "arguments"]))?;
    Some(Passed::of(list)).filter(Passed::is_certain)
}

fn by_name(function: Node<'_>) -> Option<Callee<'_>> {
    let tree = function.tree();
    let symbol = Symbols::of(tree)?.of_use(function)?;
    let mut definitions = symbol.definitions(tree);
    let name = definitions
        .next()
        .filter(|_| definitions.next().is_none())?;
    let around = name.parent().filter(|around| around.is_usable())?;
    let (_, parameters) = match (tree.grammar().name(), symbol.kind) {
        ("Python", DefKind::Function) => python_parameters(around),
        ("Python", DefKind::Type) => constructor_of_python(around),
        (_, DefKind::Function) => script_parameters(around),
        _ => None,
    }?;
    Some(Callee { name, parameters })
}

/// `self.method` in a Python class without other bases.
fn of_own_class(function: Node<'_>) -> Option<Callee<'_>> {
    let method = function
        .field("attribute")
        .filter(|_| function.is(&["attribute"]))?;
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
    // An attribute set on the object or a second definition may replace it.
    let tree = function.tree();
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
    let (_, parameters) = python_parameters(definition)?;
    Some(Callee {
        name,
        parameters: parameters.without_first()?,
    })
}

/// Whether a Python class has no bases and no decorators, which may replace its methods.
fn is_alone(class: Node<'_>) -> bool {
    let mut bases = class
        .field("superclasses")
        .into_iter()
        .flat_map(Node::named_children);
    bases.all(|base| base.text() == "object") && class.is_usable() && !is_decorated(class)
}
