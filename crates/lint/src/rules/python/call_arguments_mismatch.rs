//! Calls that do not match the parameters of a function of this file.

use review::{Category, Priority};

use crate::language::Role;
use crate::rule::{Check, NodeContext, On, Rule, Sink, Tests};
use crate::semantics::names::python_function;
use crate::semantics::python::types::{Kind, class_has, kind};
use crate::tree::Node;

pub(crate) const RULE: Rule = Rule {
    id: "python/call-arguments-mismatch",
    languages: &["Python"],
    title: "Call with the wrong arguments",
    why: "The arguments do not match the parameters of the function as defined here. The call raises a TypeError.",
    fix: "Pass the arguments that the function takes, or change the function.",
    references: &[],
    priority: Priority::P1,
    category: Category::LogicBug,
    tests: Tests::Include,
    check: Check::Node { on: On::Roles(&[Role::Call]), run },
    positive: &[
        "+def area(width, height):\n+    return width * height\n+\n+size = area(3)\n^\n+other = area(1, 2, 3)\n^\n+more = area(1, 2, depth=3)\n^\n",
        "+class Box:\n+    def __init__(self, width):\n+        self.width = width\n+\n+one = Box(3, 4)\n^\n+two = Box(wide=3)\n^\n",
    ],
    negative: &[
        "+def area(width, height=1, *, depth=1):\n+    return width * height\n+\n+size = area(3)\n+other = area(*pair)\n+more = area(1, depth=3)\n+args = area(**values)\n",
        "+@wraps\n+def area(width):\n+    return width\n+area(1, 2)\n",
        "+def area(width):\n+    return width\n+area = other\n+area(1, 2)\n",
        "+class Box:\n+    def __init__(self, width):\n+        self.width = width\n+class Bag(Box):\n+    pass\n+one = Box(3)\n+two = Bag(1, 2)\n",
        "+def f():\n+    def area(width):\n+        return width\n+def g():\n+    area(1, 2)\n",
    ],
};

#[derive(Default)]
struct Signature<'t> {
    positional: Vec<&'t str>,
    required: Vec<&'t str>,
    names: Vec<&'t str>,
    takes_more: bool,
    takes_any_name: bool,
}

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call().filter(|call| {
        node.field("function").is_some_and(|callee| callee.is(&["identifier"]) && callee.text() == call.name)
    }) else {
        return;
    };
    // `f(x for x in y)` passes one argument, a generator.
    let passes_generator = || node.field("arguments").is_some_and(|list| list.is(&["generator_expression"]));
    if node.parent().is_some_and(|parent| parent.is(&["decorator"])) || passes_generator() {
        return;
    }
    let made = || kind(node.field("function")?).and_then(constructor);
    let Some(signature) = python_function(node, call.name).and_then(signature).or_else(made) else { return };
    let spread = |kind: &str| call.arguments.iter().any(|argument| argument.is(&[kind]));
    let named: Vec<&str> = call
        .arguments
        .iter()
        .filter(|argument| argument.is(&["keyword_argument"]))
        .filter_map(|argument| argument.field("name"))
        .map(Node::text)
        .collect();
    let given = call
        .arguments
        .iter()
        .filter(|argument| !argument.is(&["keyword_argument", "list_splat", "dictionary_splat", "comment"]))
        .count();
    let unknown = named.iter().find(|name| !signature.takes_any_name && !signature.names.contains(name));
    let problem = if given > signature.positional.len() && !signature.takes_more {
        format!("takes {} positional arguments, but {given} are passed", signature.positional.len())
    } else if let Some(name) = unknown {
        format!("has no parameter `{name}`")
    } else if spread("list_splat") || spread("dictionary_splat") {
        return;
    } else {
        let is_missing = |name: &&&str| {
            !named.contains(name)
                && signature.positional.iter().position(|own| own == *name).is_none_or(|place| place >= given)
        };
        let Some(missing) = signature.required.iter().find(is_missing) else { return };
        format!("requires an argument for `{missing}`")
    };
    sink.report(node, format!("`{}` {problem}: this call raises a TypeError.", call.name));
}

/// What it takes to make an object of a class of the file.
fn constructor(kind: Kind<'_>) -> Option<Signature<'_>> {
    let Kind::Class(class) = kind else { return None };
    let is_decorated = class.parent().is_some_and(|parent| parent.is(&["decorated_definition"]));
    // Whatever else makes the object may take other arguments.
    if is_decorated || class_has(class, "__new__", 5) != Some(false) || class.field("superclasses").is_some() {
        return None;
    }
    let mut methods = class.field("body")?.named_children();
    let is_init = |inner: &Node<'_>| inner.field("name").is_some_and(|name| name.text() == "__init__");
    let mut signature = match methods.find(|inner| inner.is(&["function_definition"]) && is_init(inner)) {
        Some(init) => signature(init)?,
        None if class_has(class, "__init__", 5) == Some(false) => return Some(Signature::default()),
        None => return None,
    };
    let own = if signature.positional.is_empty() { None } else { Some(signature.positional.remove(0)) };
    signature.names.retain(|name| Some(*name) != own);
    signature.required.retain(|name| Some(*name) != own);
    Some(signature)
}

fn signature(function: Node<'_>) -> Option<Signature<'_>> {
    let list = function.field("parameters")?;
    let mut signature = Signature {
        positional: Vec::new(),
        required: Vec::new(),
        names: Vec::new(),
        takes_more: false,
        takes_any_name: false,
    };
    let mut by_name_only = false;
    for parameter in list.named_children() {
        let text = parameter.text();
        if text.starts_with("**") {
            signature.takes_any_name = true;
        } else if text == "*" || parameter.is(&["keyword_separator"]) {
            by_name_only = true;
        } else if text.starts_with('*') {
            signature.takes_more = true;
            by_name_only = true;
        } else if text == "/" || parameter.is(&["positional_separator"]) {
            signature.names.clear();
        } else {
            let name = parameter.field("name").unwrap_or(parameter).leaves().next()?.text();
            signature.names.push(name);
            if !by_name_only {
                signature.positional.push(name);
            }
            if !parameter.is(&["default_parameter", "typed_default_parameter"]) {
                signature.required.push(name);
            }
        }
    }
    Some(signature)
}
