//! The target of a PHP call, as far as functions and classes of the same text show it.

use crate::language::Role;
use crate::semantics::php;
use crate::semantics::php::types::Value;
use crate::tree::Node;

/// The target of a call.
#[derive(Clone, Copy)]
pub enum Target<'t> {
    /// This function or method.
    Function(Node<'t>),
    /// A class without such a method, in itself and in its ancestors.
    Missing(Node<'t>),
    /// A class without its own constructor.
    NoConstructor(Node<'t>),
}

/// The target of a call.
pub fn target(call: Node<'_>) -> Option<Target<'_>> {
    match call.kind() {
        "function_call_expression" => {
            let name = call
                .field("function")
                .filter(|name| name.is(&["name", "qualified_name"]))?;
            php::types::own_function(call, php::types::name_here(name)).map(Target::Function)
        }
        "object_creation_expression" => {
            let class = class_named(call, call.named_children().next()?)?;
            match find(class, "__construct") {
                Found::Here(method) => Some(Target::Function(method)),
                Found::Nowhere => Some(Target::NoConstructor(class)),
                Found::Unknown => None,
            }
        }
        "member_call_expression" | "nullsafe_member_call_expression" => {
            let object = call.field("object")?;
            let class = if object.text() == "$this" {
                own_class(call)?
            } else {
                class_of(object)?
            };
            method(call, class)
        }
        "scoped_call_expression" => method(call, class_named(call, call.field("scope")?)?),
        _ => None,
    }
}

fn method<'t>(call: Node<'t>, class: Node<'t>) -> Option<Target<'t>> {
    let name = call.field("name").filter(|name| name.is(&["name"]))?;
    match find(class, name.text()) {
        Found::Here(method) => Some(Target::Function(method)),
        Found::Nowhere if !is_open(class) => Some(Target::Missing(class)),
        _ => None,
    }
}

/// Classes that are made to be extended: a missing method can be in a subclass.
fn is_open(class: Node<'_>) -> bool {
    class.is(&[
        "trait_declaration", "interface_declaration", "enum_declaration",
    ]) || class.children().any(|part| part.is(&["abstract_modifier"]))
}

fn class_of(object: Node<'_>) -> Option<Node<'_>> {
    match php::types::value_of(object)? {
        Value::Object(name) if !name.is_empty() => written_class(object, name),
        _ => None,
    }
}

/// A class of the same text, if `name` has its exact capitalization.
fn written_class<'t>(at: Node<'t>, name: &str) -> Option<Node<'t>> {
    php::types::only_class(at, name)
        .filter(|class| class.field("name").is_some_and(|own| own.text() == name))
}

/// The enclosing class, unless code in between changes the meaning of `$this`.
pub(crate) fn own_class(inside: Node<'_>) -> Option<Node<'_>> {
    let around = inside.ancestors().find(|around| {
        around.has_role(Role::Class)
            || around.is(&["anonymous_class", "anonymous_function", "declaration_list"])
    })?;
    let class = if around.is(&["declaration_list"]) {
        around.parent()?
    } else {
        around
    };
    (class.is(&["class_declaration"]) && class.is_usable()).then_some(class)
}

fn class_named<'t>(at: Node<'t>, name: Node<'t>) -> Option<Node<'t>> {
    match name.kind() {
        "relative_scope" => match name.text().to_ascii_lowercase().as_str() {
            "self" | "static" => own_class(at),
            _ => None,
        },
        "name" | "qualified_name" => {
            let own = php::types::name_here(name);
            if matches!(own, "self" | "static") {
                own_class(at)
            } else {
                written_class(at, own)
            }
        }
        _ => None,
    }
}

enum Found<'t> {
    Here(Node<'t>),
    Nowhere,
    Unknown,
}

/// A method of a class or of its ancestors.
fn find<'t>(class: Node<'t>, name: &str) -> Found<'t> {
    let mut open = vec![class];
    let mut seen = 0;
    let mut is_known = true;
    while let Some(class) = open.pop() {
        seen += 1;
        let Some(body) = class.field("body").filter(|_| seen < 20) else {
            return Found::Unknown;
        };
        for part in body.named_children() {
            if part.is(&["use_declaration"]) {
                is_known = false;
            }
            let own = part
                .field("name")
                .filter(|_| part.is(&["method_declaration"]))
                .map_or("", Node::text);
            if own.eq_ignore_ascii_case(name) {
                return Found::Here(part);
            }
            is_known &= !matches!(own, "__call" | "__callStatic");
        }
        for clause in class
            .children()
            .filter(|part| part.is(&["base_clause", "class_interface_clause"]))
        {
            for parent in clause.named_children() {
                match class_named(class, parent) {
                    Some(parent) => open.push(parent),
                    None => is_known = false,
                }
            }
        }
    }
    if is_known {
        Found::Nowhere
    } else {
        Found::Unknown
    }
}

/// A parameter of a visible function.
pub struct Parameter<'t> {
    /// Its name, with the `$`.
    pub name: &'t str,
    /// Its written type.
    pub kind: Option<Node<'t>>,
    /// It may be left out.
    pub is_optional: bool,
    /// It takes all remaining arguments.
    pub is_variadic: bool,
    /// Its default is `null`, so it may be null.
    pub is_nullable: bool,
}

/// The parameters of a function, or `None` if it reads its arguments in another way.
pub fn parameters(function: Node<'_>) -> Option<Vec<Parameter<'_>>> {
    let list = function.field("parameters")?;
    let reads_all = |node: Node<'_>| {
        node.is(&["name"])
            && matches!(
                node.text(),
                "func_get_args" | "func_num_args" | "func_get_arg"
            )
    };
    if !function.is_usable()
        || function
            .field("body")
            .is_some_and(|body| body.descendants().any(reads_all))
    {
        return None;
    }
    Some(
        list.named_children()
            .filter(|node| node.kind().ends_with("_parameter"))
            .map(parameter)
            .collect(),
    )
}

fn parameter(node: Node<'_>) -> Parameter<'_> {
    let name = node
        .descendants()
        .find(|inner| inner.is(&["variable_name"]))
        .map_or("", Node::text);
    let default = node.field("default_value");
    let is_variadic = node.is(&["variadic_parameter"]);
    let is_nullable = default.is_some_and(|value| value.text().eq_ignore_ascii_case("null"));
    let kind = node.field("type");
    Parameter {
        name,
        kind,
        is_optional: default.is_some() || is_variadic,
        is_variadic,
        is_nullable,
    }
}

/// The arguments of a call; `None` if some of them are unpacked or the call only makes a closure.
pub fn arguments(call: Node<'_>) -> Option<Vec<Node<'_>>> {
    let Some(list) = call.child_of_kind(&["arguments"]) else {
        return call.is(&["object_creation_expression"]).then(Vec::new);
    };
    let all: Vec<Node<'_>> = list.named_children().collect();
    let is_plain = |node: &Node<'_>| {
        node.is(&["argument"]) && node.child_of_kind(&["variadic_unpacking"]).is_none()
    };
    all.iter().all(is_plain).then_some(all)
}

/// The value of an argument.
pub fn handed(argument: Node<'_>) -> Option<Node<'_>> {
    argument.named_children().last()
}

/// Kinds of node that call something.
pub const CALLS: &[&str] = &[
    "function_call_expression", "object_creation_expression", "member_call_expression",
    "nullsafe_member_call_expression", "scoped_call_expression",
];
