//! Functions of a file that a call in it certainly refers to, with their parameters.

use super::exports::{is_decorated, python_parameters, script_parameters};
use super::parameters::Parameters;
use super::{DefKind, Symbols};
use crate::language::Role;
use crate::tree::Node;

/// The maximum number of parameters of a function, and of methods with one name, that are compared.
const MANY: usize = 40;

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

/// How many arguments a call of Go passes, and its function takes.
pub struct Count {
    /// How many it passes.
    pub passed: usize,
    /// How many the function takes, without those of a variadic parameter.
    pub taken: usize,
    /// The function has a variadic parameter.
    pub is_open: bool,
}

impl Count {
    /// Whether the function accepts that many arguments.
    pub fn fits(&self) -> bool {
        self.passed == self.taken || self.is_open && self.passed > self.taken
    }
}

/// The arguments of a call of Go of a function of the file, or of a method of the receiver.
#[must_use]
pub fn go_count(call: Node<'_>) -> Option<Count> {
    let tree = call.tree();
    let called = call.field("function").filter(|_| tree.is_readable_file())?;
    let list = call.field("arguments")?;
    let arguments: Vec<Node<'_>> = list
        .named_children()
        .filter(|argument| !argument.has_role(Role::Comment))
        .collect();
    // A call as the only argument may return several values.
    let is_certain = match arguments.as_slice() {
        [only] => !only.unparenthesised().has_role(Role::Call),
        _ => true,
    };
    let has_spread = arguments.iter().any(|one| one.is(&["variadic_argument"]));
    let function = if called.is(&["selector_expression"]) {
        go_method(called)?
    } else {
        go_function(called)?
    };
    let parameters = function
        .field("parameters")
        .filter(|_| is_certain && !has_spread && function.is_usable())?;
    let mut count = Count {
        passed: arguments.len(),
        taken: 0,
        is_open: false,
    };
    for parameter in parameters.named_children() {
        match parameter.kind() {
            "parameter_declaration" => {
                let names = parameter.named_children();
                let names = names.filter(|part| part.own_field() == "name").count();
                count.taken += names.max(1);
            }
            "variadic_parameter_declaration" => count.is_open = true,
            "comment" => {}
            _ => return None,
        }
        if count.taken > MANY {
            return None;
        }
    }
    Some(count)
}

/// The function of the file that a name refers to.
fn go_function(name: Node<'_>) -> Option<Node<'_>> {
    let symbol = Symbols::of(name.tree())?
        .of_use(name)
        .filter(|symbol| symbol.kind == DefKind::Function)?;
    let mut definitions = symbol.definitions(name.tree());
    let definition = definitions
        .next()
        .filter(|_| definitions.next().is_none())?;
    definition
        .parent()
        .filter(|around| around.is(&["function_declaration"]))
}

/// The method of the file that a selector on the receiver of the method around it names.
fn go_method(called: Node<'_>) -> Option<Node<'_>> {
    let tree = called.tree();
    let name = called.field("field")?;
    let receiver = Symbols::of(tree)?.of_use(called.field("operand")?)?;
    let list = receiver
        .definitions(tree)
        .next()?
        .parent()?
        .parent()
        .filter(|list| list.own_field() == "receiver")?;
    let of = receiver_type(list.parent()?)?;
    let methods = tree.places(go_method_of_name);
    let mut methods = methods
        .within(tree, name.text(), 0..usize::MAX)
        .take(MANY)
        .filter(|method| receiver_type(*method) == Some(of));
    methods.next().filter(|_| methods.next().is_none())
}

fn go_method_of_name(name: Node<'_>) -> Option<Node<'_>> {
    name.parent()
        .filter(|around| around.is(&["method_declaration"]) && name.own_field() == "name")
}

/// The name of the type that a method of Go belongs to.
fn receiver_type(method: Node<'_>) -> Option<&str> {
    let mut leaves = method.field("receiver")?.leaves();
    leaves
        .find(|leaf| leaf.is(&["type_identifier"]))
        .map(Node::text)
}

/// Whether a class of Python has no bases and no decorators, which can replace its methods.
fn is_alone(class: Node<'_>) -> bool {
    let mut bases = class
        .field("superclasses")
        .into_iter()
        .flat_map(Node::named_children);
    bases.all(|base| base.text() == "object") && class.is_usable() && !is_decorated(class)
}
