//! Calls that do not match the parameters of a function of this file.

use lint::{Check, NodeContext, On, Rule, Sink, Tests};
use review::{Category, Priority};
use syntax::language::Role;
use syntax::semantics::names::python_function;
use syntax::semantics::python::types::{Kind, class_has, kind};
use syntax::semantics::symbols::callables::own_method;
use syntax::semantics::symbols::parameters::{Misfit, Parameters, Passed};
use syntax::tree::Node;

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
    check: Check::Node {
        on: On::Roles(&[Role::Call]),
        run,
    },
    positive: &[
        r#"
+def area(width, height):
+    return width * height
+
+size = area(3)
^
+other = area(1, 2, 3)
^
+more = area(1, 2, depth=3)
^
"#,
        r#"
+class Box:
+    def __init__(self, width):
+        self.width = width
+
+one = Box(3, 4)
^
+two = Box(wide=3)
^
"#,
        r#"
path: shop/price.py (whole file)
+class Price:
+    def __init__(self, amount):
+        self.amount = amount
+
+    def plus(self, other):
+        return Price(self.amount + other.amount)
+
+    def twice(self):
+        return self.plus(self, self)
^
"#,
    ],
    negative: &[
        r#"
+def area(width, height=1, *, depth=1):
+    return width * height
+
+size = area(3)
+other = area(*pair)
+more = area(1, depth=3)
+args = area(**values)
"#,
        r#"
+@wraps
+def area(width):
+    return width
+area(1, 2)
"#,
        r#"
+def area(width):
+    return width
+area = other
+area(1, 2)
"#,
        r#"
+class Box:
+    def __init__(self, width):
+        self.width = width
+class Bag(Box):
+    pass
+one = Box(3)
+two = Bag(1, 2)
"#,
        r#"
+def f():
+    def area(width):
+        return width
+def g():
+    area(1, 2)
"#,
        r#"
path: shop/price.py (whole file)
 class Base(Model):
     def plus(self, other):
+        return self.plus(other, 2)
"#,
        r#"
path: shop/price.py (whole file)
 class Cart:
     def __init__(self, sum):
         self.total = sum
 
     def total(self, prices):
         return sum(prices)
 
     def show(self):
+        return self.total(1, 2) + self.more(3)
"#,
    ],
};

fn run(node: Node<'_>, _: &NodeContext<'_>, sink: &mut Sink<'_>) {
    let Some(call) = node.call() else {
        return;
    };
    // `f(x for x in y)` passes one argument, a generator.
    let passes_generator = || {
        node.field("arguments")
            .is_some_and(|list| list.is(&["generator_expression"]))
    };
    if node
        .parent()
        .is_some_and(|parent| parent.is(&["decorator"]))
        || passes_generator()
    {
        return;
    }
    let is_name = node
        .field("function")
        .is_some_and(|callee| callee.is(&["identifier"]) && callee.text() == call.name);
    let parameters = if is_name {
        of_name(node, call.name)
    } else {
        own_method(node)
    };
    let Some(parameters) = parameters else {
        return;
    };
    let Some(passed) = node.field("arguments").map(Passed::of) else {
        return;
    };
    let Some(misfit) = parameters.misfit(&passed) else {
        return;
    };
    let problem = match misfit {
        Misfit::TooMany(most) => format!(
            "takes {most} positional arguments, but {} are passed",
            passed.positional
        ),
        Misfit::Unknown(name) => format!("has no parameter `{name}`"),
        Misfit::Missing(name) => format!("requires an argument for `{name}`"),
    };
    sink.report(
        node,
        format!("`{}` {problem}: this call raises a TypeError.", call.name),
    );
}

/// The parameters of a function or class of the file.
fn of_name(node: Node<'_>, name: &str) -> Option<Parameters> {
    let made = || kind(node.field("function")?).and_then(constructor);
    let of_function =
        |function: Node<'_>| function.field("parameters").and_then(Parameters::of_python);
    python_function(node, name)
        .and_then(of_function)
        .or_else(made)
}

/// The parameters for creating an object of a class of the file.
fn constructor(kind: Kind<'_>) -> Option<Parameters> {
    let Kind::Class(class) = kind else {
        return None;
    };
    let is_decorated = class
        .parent()
        .is_some_and(|parent| parent.is(&["decorated_definition"]));
    // Another way of creating the object may take other arguments.
    if is_decorated
        || class_has(class, "__new__", 5) != Some(false)
        || class.field("superclasses").is_some()
    {
        return None;
    }
    let mut methods = class.field("body")?.named_children();
    let is_init = |inner: &Node<'_>| {
        inner
            .field("name")
            .is_some_and(|name| name.text() == "__init__")
    };
    let init = methods.find(|inner| inner.is(&["function_definition"]) && is_init(inner));
    let Some(init) = init else {
        return (class_has(class, "__init__", 5) == Some(false)).then(Parameters::default);
    };
    let parameters = Parameters::of_python(init.field("parameters")?)?;
    // `__init__(*values)` has no first parameter.
    Some(parameters.clone().without_first().unwrap_or(parameters))
}
